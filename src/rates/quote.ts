// What a charge costs in an asset and what the merchant is credited for it. Pure. Guarantees: all
// of it is exact rationals with one rounding per amount, what the customer pays up, what the
// merchant is credited down, the fee is the difference (money.md, Money); in dollars the
// customer never pays less, and the merchant is never promised more, than the total; without a
// price there is no quote.
import { assert } from '#base/assert.ts';
import { type Asset, getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { UNITS_MAX } from '#money/asset-amount.ts';
import { type Decimal, ONE } from '#money/decimal.ts';
import { createRate, divideUnits, EQUAL, type Rate, rateFromPrices } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';
import type { Price } from './rate.ts';
import type { RateBook } from './rate-book.ts';

/** Credits the merchant in the asset the customer paid in (service.md, `settlementAsset`). */
export const ORIGIN = 'ORIGIN';

/** What is the same for every way to pay a charge. */
type QuoteTerms = {
  readonly environment: Environment;
  /** In the billing currency, above zero, not rounded. */
  readonly total: Decimal;
  readonly billingCurrency: string;
  /** An asset id, or ORIGIN. */
  readonly settlementAsset: string;
  readonly feePartsPerMillion: number;
  readonly book: RateBook;
  readonly now: Temporal.Instant;
};

type WayToPay = {
  readonly paymentAssetId: string;
  /**
   * What the customer pays on top for the rate we hold for an hour. Only where the service bears
   * that risk: not for ORIGIN, and not between assets of one group.
   */
  readonly spreadPartsPerMillion?: number;
  /** The least amount that can arrive and is not less, where not every amount can (anchors). */
  readonly arrivingOf?: ((units: bigint) => bigint) | undefined;
};

export type QuoteRequest = QuoteTerms & WayToPay;

export type Quote =
  | {
      readonly kind: 'quoted';
      readonly arrivingUnits: bigint;
      readonly settlementAssetId: string;
      /** Gross; settlementUnits = netUnits + feeUnits. */
      readonly settlementUnits: bigint;
      readonly netUnits: bigint;
      readonly feeUnits: bigint;
      /** Rows of the table `rate`, each once; none where no rate was needed. */
      readonly rateIds: readonly bigint[];
      /**
       * Settlement units per payment unit: the full payment converts to settlementUnits exactly.
       */
      readonly paymentToSettlement: Rate;
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

const million = 1_000_000n;
const noRate = 'there is no current rate for';

/** Whether an asset could not be quoted because nobody knew its price. */
export function isRateMissing(reason: string): boolean {
  return reason.startsWith(noRate);
}

export function quotePayment(request: QuoteRequest): Quote {
  return createQuoter(request)(request);
}

/**
 * For several ways to pay one charge. An asset is there on many networks: what is credited as it
 * arrives is counted once for all that have the same price and decimals.
 */
export function createQuoter(terms: QuoteTerms): (way: WayToPay) => Quote {
  assert(terms.total.coefficient > 0n, 'a charge of nothing is refused before it is quoted');
  assertParts(terms.feePartsPerMillion);
  const counted = new Map<Known, Amounts | Missing>();
  return (way) => {
    const payment = getAsset(way.paymentAssetId);
    const { settlementAsset, billingCurrency } = terms;
    const settlement = settlementAsset === ORIGIN ? payment : getAsset(settlementAsset);
    const toPayment = conversion(terms, billingCurrency, payment);
    if ('reason' in toPayment) return { kind: 'unavailable', reason: toPayment.reason };
    if (settlement.id !== payment.id) return quoteConverted(terms, way, toPayment, settlement);
    const known = way.arrivingOf === undefined ? counted.get(toPayment) : undefined;
    const amounts = known ?? amountsAsItArrives(terms, way, toPayment, payment);
    if (way.arrivingOf === undefined) counted.set(toPayment, amounts);
    if ('reason' in amounts) return { kind: 'unavailable', reason: amounts.reason };
    const { arrivingUnits, netUnits, feeUnits } = amounts;
    return {
      kind: 'quoted',
      arrivingUnits,
      settlementAssetId: payment.id,
      settlementUnits: arrivingUnits,
      netUnits,
      feeUnits,
      rateIds: toPayment.rateIds,
      paymentToSettlement: EQUAL,
    };
  };
}

type Amounts = { readonly arrivingUnits: bigint } & Credited;
type Credited = { readonly netUnits: bigint; readonly feeUnits: bigint };

function amountsAsItArrives(
  terms: QuoteTerms,
  way: WayToPay,
  { rate }: Known,
  payment: Asset,
): Amounts | Missing {
  const arrivingUnits = unitsToArrive(way, scaleTotal(terms.total, rate, million, 'up'));
  if (typeof arrivingUnits !== 'bigint') return arrivingUnits;
  const credited = lessFee(terms, arrivingUnits, payment);
  return 'reason' in credited ? credited : { arrivingUnits, ...credited };
}

function quoteConverted(
  terms: QuoteTerms,
  way: WayToPay,
  toPayment: Known,
  settlement: Asset,
): Quote {
  const { total, billingCurrency } = terms;
  const { spreadPartsPerMillion = 0 } = way;
  assertParts(spreadPartsPerMillion);
  const hasSpread = settlement.group !== getAsset(way.paymentAssetId).group;
  const parts = hasSpread ? million + BigInt(spreadPartsPerMillion) : million;
  const arrivingUnits = unitsToArrive(way, scaleTotal(total, toPayment.rate, parts, 'up'));
  if (typeof arrivingUnits !== 'bigint') return { kind: 'unavailable', ...arrivingUnits };
  const toSettlement = conversion(terms, billingCurrency, settlement);
  if ('reason' in toSettlement) return { kind: 'unavailable', reason: toSettlement.reason };
  const settlementUnits = scaleTotal(total, toSettlement.rate, million, 'down');
  const credited = lessFee(terms, settlementUnits, settlement);
  if ('reason' in credited) return { kind: 'unavailable', ...credited };
  return {
    kind: 'quoted',
    arrivingUnits,
    settlementAssetId: settlement.id,
    settlementUnits,
    ...credited,
    rateIds: [...new Set([...toPayment.rateIds, ...toSettlement.rateIds])],
    paymentToSettlement: createRate(settlementUnits, arrivingUnits),
  };
}

/** The least that can arrive of so much or more. */
function unitsToArrive({ arrivingOf }: WayToPay, exactUnits: bigint): bigint | Missing {
  const arrivingUnits = arrivingOf?.(exactUnits) ?? exactUnits;
  assert(arrivingUnits >= exactUnits, 'the customer is never asked for less');
  return arrivingUnits > UNITS_MAX ? { reason: 'the amount is too large' } : arrivingUnits;
}

function lessFee(
  { feePartsPerMillion }: QuoteTerms,
  settlementUnits: bigint,
  { assetCode }: Asset,
): Credited | Missing {
  const kept = million - BigInt(feePartsPerMillion);
  const netUnits = divideUnits(settlementUnits * kept, million, 'down');
  if (netUnits <= 0n) return { reason: `the amount is too small to credit ${assetCode}` };
  return { netUnits, feeUnits: settlementUnits - netUnits };
}

type CurrentRateRequest = {
  readonly environment: Environment;
  readonly fromAssetId: string;
  readonly toAssetId: string;
  readonly book: RateBook;
  readonly now: Temporal.Instant;
};

/** Target units per source unit, now. Undefined when a price is missing or stale. */
export function currentRate(
  request: CurrentRateRequest,
): { readonly rate: Rate; readonly rateIds: readonly bigint[] } | undefined {
  const from = getAsset(request.fromAssetId);
  const to = getAsset(request.toAssetId);
  const prices = pricesFor(request, from.assetCode, to.assetCode);
  if ('reason' in prices) return undefined;
  const { source, target } = prices;
  const rate = rateFromPrices(source.usdPrice, from.decimals, target.usdPrice, to.decimals);
  return { rate, rateIds: idsOf(prices) };
}

type Market = Pick<QuoteTerms, 'environment' | 'book' | 'now'>;
type Missing = { readonly reason: string };

/** Units of the asset per whole unit of the currency. */
function conversion(market: Market, currency: string, asset: Asset): Known | Missing {
  const prices = pricesFor(market, currency, asset.assetCode);
  return 'reason' in prices ? prices : rateOfWhole(prices, asset.decimals);
}

type Prices = { readonly source: Price; readonly target: Price };
type Known = {
  readonly source: Price;
  readonly target: Price;
  readonly decimals: number;
  readonly rate: Rate;
  /** The same list for the same prices. */
  readonly rateIds: readonly bigint[];
};

/** By the price of the target: the same prices are quoted again and again until others come. */
const RATES = new WeakMap<Decimal, Known[]>();
/** Currencies that are billed in at one time. */
const RATES_OF_ONE_MOST = 50;

function rateOfWhole({ source, target }: Prices, decimals: number): Known {
  const known = RATES.get(target.usdPrice) ?? [];
  for (const one of known) {
    const isKnown = isSamePrice(one.source, source) && isSamePrice(one.target, target);
    if (isKnown && one.decimals === decimals) return one;
  }
  const rate = rateFromPrices(source.usdPrice, 0, target.usdPrice, decimals);
  const found = { source, target, decimals, rate, rateIds: idsOf({ source, target }) };
  if (known.length >= RATES_OF_ONE_MOST) known.length = 0;
  known.push(found);
  RATES.set(target.usdPrice, known);
  return found;
}

function isSamePrice(one: Price, other: Price): boolean {
  return one === other || (one.usdPrice === other.usdPrice && one.id === other.id);
}

function idsOf({ source, target }: Prices): readonly bigint[] {
  return [source.id, target.id].filter((id) => id !== 0n);
}

/** Whatever it is worth cancels out. */
const SAME: Price = Object.freeze({
  id: 0n,
  code: '',
  usdPrice: ONE,
  observedAt: Temporal.Instant.fromEpochMilliseconds(0),
});
const SAME_PRICES: Prices = { source: SAME, target: SAME };

/** Both prices, or what is missing. The same code needs none. */
function pricesFor(
  { book, environment, now }: Market,
  sourceCode: string,
  targetCode: string,
): Prices | Missing {
  if (sourceCode === targetCode) return SAME_PRICES;
  const source = book.price(environment, sourceCode, now);
  if (source === undefined) return { reason: `${noRate} ${sourceCode}` };
  const target = book.price(environment, targetCode, now);
  if (target === undefined) return { reason: `${noRate} ${targetCode}` };
  return { source, target };
}

/** total × rate × parts / 1,000,000 with a single rounding. */
function scaleTotal(total: Decimal, rate: Rate, parts: bigint, rounding: 'up' | 'down'): bigint {
  const above = total.coefficient * rate.numerator;
  const below = powerOfTen(total.scale) * rate.denominator;
  // Most have nothing on top, and smaller numbers are divided sooner.
  if (parts === million) return divideUnits(above, below, rounding);
  return divideUnits(above * parts, below * million, rounding);
}

function assertParts(parts: number): void {
  const isPart = Number.isInteger(parts) && parts >= 0 && parts <= 1_000_000;
  if (!isPart) assert(false, `not parts: ${parts}`);
}
