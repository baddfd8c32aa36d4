// What the trader is asked for an order, and what its parts are in the ledger. Pure. Guarantees:
// however an exchange counts below a unit, the parts that are booked come to the whole order
// rounded once (sold and fees up, bought down), in whatever order they are heard of and however
// often; a part that is booked is never another one later.
import { findAssetByCode, getAsset } from '#catalog/asset.ts';
import {
  add,
  createDecimal,
  type Decimal,
  decimalToText,
  divideToScale,
  multiply,
  parseWideDecimal,
  roundDecimal,
  ZERO,
} from '#money/decimal.ts';
import type { Rounding } from '#money/rounding.ts';
import type { RateBook } from '#rates/rate-book.ts';
import type { ExchangeFill } from '#trader/protocol.ts';
import type { HedgeFill, HedgeOrder } from '#treasury/hedge-order.ts';

const MILLION = 1_000_000n;
const LIMIT_SCALE = 18;

type Sides = Pick<HedgeOrder, 'giveAssetId' | 'getAssetId'>;

/**
 * At least so much of what is bought for one of what is sold, in whole coins: our own price less
 * the slippage, rounded up. Undefined without a price.
 */
export function limitPrice(
  book: RateBook,
  { environment, giveAssetId, getAssetId }: Sides & Pick<HedgeOrder, 'environment'>,
  slippagePartsPerMillion: number,
  now: Temporal.Instant,
): string | undefined {
  const [give, get] = [giveAssetId, getAssetId].map(
    (assetId) => book.price(environment, getAsset(assetId).assetCode, now)?.usdPrice,
  );
  if (give === undefined || get === undefined) return undefined;
  const part = createDecimal(MILLION - BigInt(slippagePartsPerMillion), 6);
  return decimalToText(divideToScale(multiply(give, part), get, LIMIT_SCALE, 'up'));
}

export type PartToBook = Pick<
  HedgeFill,
  'fillId' | 'soldUnits' | 'gotUnits' | 'feeAssetId' | 'feeUnits'
>;

/** What is not booked yet, and what a person has to know of it. */
type PartsToBook = {
  readonly parts: readonly PartToBook[];
  readonly notes: readonly string[];
};

/** `booked`: all that were ever entered, also those that were taken back. */
export function decideTraded(
  order: Sides,
  booked: readonly HedgeFill[],
  heard: readonly ExchangeFill[],
): PartsToBook {
  const isUndone = (id: string) =>
    booked.some(({ fillId, undoneAt }) => fillId === id && undoneAt !== undefined);
  const inOrder = heard
    .filter(({ id }) => !isUndone(id))
    .toSorted(
      (one, other) => Temporal.Instant.compare(one.at, other.at) || compareText(one.id, other.id),
    );
  const kept: PartToBook[] = booked.filter(({ fillId }) => inOrder.some(({ id }) => id === fillId));
  const parts: PartToBook[] = [];
  const notes: string[] = [];
  for (const [at, fill] of inOrder.entries()) {
    if (kept.some(({ fillId }) => fillId === fill.id)) continue;
    const counted = inOrder.filter(
      ({ id }, place) => place <= at || kept.some(({ fillId }) => fillId === id),
    );
    const part = partOf(order, fill, counted, kept, notes);
    const { soldUnits, gotUnits, feeUnits = 0n } = part;
    if (soldUnits + gotUnits + feeUnits === 0n) continue;
    kept.push(part);
    parts.push(part);
  }
  return { parts, notes };
}

/** What the running totals lack when this one is counted. */
function partOf(
  order: Sides,
  fill: ExchangeFill,
  counted: readonly ExchangeFill[],
  kept: readonly PartToBook[],
  notes: string[],
): PartToBook {
  const { giveAssetId, getAssetId } = order;
  const sold = counted.map(({ soldAmount }) => soldAmount);
  const got = counted.map(({ gotAmount }) => gotAmount);
  const [fee, ...others] = fill.fees.filter(({ amount }) => !isNothing(amount));
  for (const { code, amount } of others) notes.push(`${fill.id}: a fee of ${amount} ${code} too`);
  const feeAssetId = fee && feeAsset(order, fee.code);
  if (fee !== undefined && feeAssetId === undefined) {
    notes.push(`${fill.id}: a fee of ${fee.amount} ${fee.code}, which is no asset here`);
  }
  const fees = counted.flatMap((one) =>
    one.fees
      .slice(0, 1)
      .filter(({ code }) => feeAsset(order, code) === feeAssetId)
      .map(({ amount }) => amount),
  );
  const feeUnits =
    feeAssetId === undefined
      ? 0n
      : lacking(feeAssetId, fees, 'up', sumOf(kept.filter(isOfFee(feeAssetId)), 'feeUnits'));
  return {
    fillId: fill.id,
    soldUnits: lacking(giveAssetId, sold, 'up', sumOf(kept, 'soldUnits')),
    gotUnits: lacking(getAssetId, got, 'down', sumOf(kept, 'gotUnits')),
    ...(feeUnits > 0n ? { feeAssetId, feeUnits } : { feeAssetId: undefined, feeUnits: undefined }),
  };
}

const isOfFee = (assetId: string) => (part: PartToBook) => part.feeAssetId === assetId;

function sumOf(parts: readonly PartToBook[], name: 'soldUnits' | 'gotUnits' | 'feeUnits'): bigint {
  return parts.reduce((sum, part) => sum + (part[name] ?? 0n), 0n);
}

/** Never below zero: what is booked stays booked. */
function lacking(
  assetId: string,
  amounts: readonly string[],
  rounding: Rounding,
  bookedUnits: bigint,
): bigint {
  const due = unitsOfTexts(assetId, amounts, rounding) - bookedUnits;
  return due > 0n ? due : 0n;
}

export function unitsOfText(assetId: string, amount: string, rounding: Rounding): bigint {
  return unitsOfTexts(assetId, [amount], rounding);
}

function unitsOfTexts(assetId: string, amounts: readonly string[], rounding: Rounding): bigint {
  const exact = amounts.map(parseWideDecimal).reduce(add, ZERO);
  return unitsOf(exact, getAsset(assetId).decimals, rounding);
}

function unitsOf(exact: Decimal, decimals: number, rounding: Rounding): bigint {
  const { coefficient, scale } = roundDecimal(exact, decimals, rounding);
  return coefficient * 10n ** BigInt(decimals - scale);
}

/** One of the two, or a third that the exchange takes its fees in. */
function feeAsset({ giveAssetId, getAssetId }: Sides, code: string): string | undefined {
  const ours = [getAssetId, giveAssetId].find((id) => getAsset(id).assetCode === code);
  return ours ?? findAssetByCode(code)?.id;
}

const isNothing = (amount: string) => /^[0.]*$/.test(amount);
const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
