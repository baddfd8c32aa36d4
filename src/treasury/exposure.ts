// The gate that every conversion at a guaranteed price passes, of a swap and of a checkout alike.
// Who promises the price is the other side of it: with a test key the house itself, with a live key
// the house within the limits that its operator set (decision 31), for all and for one merchant.
// For a pair of assets he may say more (decision 44): refused, hedged at once, with a spread; and
// of an asset that it is promised only while it is held (decision 31).
// Guarantees: what is open is summed from the database, never remembered; a conversion that was
// covered under the lock stays within the limit whatever is committed at the same time; what cannot
// be valued is not covered.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader, Tx } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { compare, type Decimal } from '#money/decimal.ts';
import { listMovedCodes, type PriceMove, type RateBook } from '#rates/rate-book.ts';
import { isHeldOnly, listLiquidityPolicies, listPolicies, policyOf } from './conversion-policy.ts';
import { freeUnits, listLiquidity } from './liquidity.ts';
import {
  listConvertedFor,
  listConvertedUnits,
  listPromisedUnits,
  lockPosition,
  sumOfOpen,
  usdOfOpen,
} from './open-position.ts';

export type ExposureApp = {
  readonly rates: RateBook;
  /** Undefined: no live conversion at all. */
  readonly exposureLimitUsd?: Decimal | undefined;
  /** Undefined: one merchant may use all of it. */
  readonly merchantExposureLimitUsd?: Decimal | undefined;
  /** A price that moves by more than this is held for nobody; undefined: any is. */
  readonly priceMove?: PriceMove | undefined;
};

/** What is taken, and what is promised for it. */
export type Conversion = { readonly from: AssetAmount; readonly to: AssetAmount };

export type Cover = {
  /** Why a conversion cannot be promised; undefined when it can. */
  reasonAgainst(conversion: Conversion): string | undefined;
  /** What a customer pays on top for the price that is held for him. */
  spreadPartsPerMillion(fromAssetId: string, toAssetId: string): number;
};

/** For who is credited in what arrives: nobody guarantees a price. */
export const NOTHING_CONVERTED: Cover = {
  reasonAgainst: () => undefined,
  spreadPartsPerMillion: () => 0,
};

/**
 * With a test key the house itself is the other side. With a live key that is an open position,
 * which its operator has to allow (decision 31).
 * @throws Refusal unavailable `exchange_missing`.
 */
export function requireExchange(
  { exposureLimitUsd }: Pick<ExposureApp, 'exposureLimitUsd'>,
  environment: Environment,
): void {
  if (environment === 'test' || exposureLimitUsd !== undefined) return;
  const message =
    'live swaps need an exposure limit of the operator, and EXPOSURE_LIMIT_USD is not set';
  throw new Refusal('unavailable', 'exchange_missing', message);
}

/** What is open and what may be added to it, as of now. Test keys have no limit. */
export async function openCover(
  app: ExposureApp,
  reader: Reader,
  owner: Owner,
  now: Temporal.Instant,
): Promise<Cover> {
  const [policies, reasonBeyond, moved, reasonNotHeld] = await Promise.all([
    listPolicies(reader, owner.environment),
    openLimits(app, reader, owner, now),
    listPausedCodes(app, reader, owner.environment, now),
    openHeld(reader, owner.environment, now),
  ]);
  return {
    reasonAgainst(conversion) {
      const [from, to] = [conversion.from.assetId, conversion.to.assetId];
      if (from === to) return undefined;
      if (policyOf(policies, from, to)?.mode === 'REFUSE') {
        return `the operator does not convert ${from} to ${to}`;
      }
      const [fromCode, toCode] = [from, to].map((id) => getAsset(id).assetCode);
      const code = moved.find((one) => one === fromCode || one === toCode);
      // Whatever it is worth cancels out between two of the same code.
      if (code !== undefined && fromCode !== toCode) return movedReason(app, code);
      return reasonBeyond(conversion) ?? reasonNotHeld(conversion);
    },
    spreadPartsPerMillion: (from, to) => policyOf(policies, from, to)?.spreadPartsPerMillion ?? 0,
  };
}

/** Codes whose price moves so fast that nothing is converted at it. */
export async function listPausedCodes(
  { priceMove }: Pick<ExposureApp, 'priceMove'>,
  reader: Reader,
  environment: Environment,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  if (priceMove === undefined || environment === 'test') return [];
  return listMovedCodes(reader, priceMove, now);
}

function movedReason({ priceMove }: ExposureApp, code: string): string {
  const { partsPerMillion = 0, minutes = 0 } = priceMove ?? {};
  return (
    `the price of ${code} moved by more than ${partsPerMillion / 10_000} % within ` +
    `${minutes} minutes: nothing is converted at it before it is calm again`
  );
}

/**
 * The same for whoever is about to commit it: others who convert wait until this transaction ends.
 * @throws Refusal conflict `conversion_not_covered`.
 */
export async function requireCover(
  app: ExposureApp,
  tx: Tx,
  owner: Owner,
  conversion: Conversion,
  now: Temporal.Instant,
): Promise<void> {
  const { environment } = owner;
  if (conversion.from.assetId === conversion.to.assetId) return;
  const needsTurn =
    environment === 'live' ||
    isHeldOnly(await listLiquidityPolicies(tx, environment), conversion.to.assetId);
  if (needsTurn) await lockPosition(tx);
  const cover = await openCover(app, tx, owner, now);
  const reason = cover.reasonAgainst(conversion);
  if (reason !== undefined) throw new Refusal('conflict', 'conversion_not_covered', reason);
}

/** Of what is promised, the fee of the house included: so much of it has to be held. */
async function openHeld(
  reader: Reader,
  environment: Environment,
  now: Temporal.Instant,
): Promise<Cover['reasonAgainst']> {
  const policies = await listLiquidityPolicies(reader, environment);
  if (policies.length === 0) return () => undefined;
  const held = await listLiquidity(reader, environment, now);
  return ({ to: { assetId, units } }) => {
    if (!isHeldOnly(policies, assetId)) return undefined;
    const found = held.find((one) => one.assetId === assetId);
    if (found !== undefined && units <= freeUnits(found)) return undefined;
    return (
      `${assetId} is promised only while the operator holds it, and so much of it is not there ` +
      'now: another way, a smaller amount or a later time may do'
    );
  };
}

const MERCHANT_HOURS = 24;

async function openLimits(
  app: ExposureApp,
  reader: Reader,
  { environment, merchantId }: Owner,
  now: Temporal.Instant,
): Promise<Cover['reasonAgainst']> {
  if (environment === 'test') return () => undefined;
  const { exposureLimitUsd: limit, merchantExposureLimitUsd: merchantLimit } = app;
  if (limit === undefined) return noLimitReason;
  const [open, ofMerchant] = await Promise.all([
    readOpenUsd(app.rates, reader, now),
    merchantLimit === undefined ? undefined : readMerchantUsd(app.rates, reader, merchantId, now),
  ]);
  return ({ from, to }) => {
    const value = usdOfOpen(
      app.rates,
      [
        { ...from, side: 'taken' },
        { ...to, side: 'promised' },
      ],
      now,
    );
    const after = sumOfOpen(open, value);
    if (after === undefined) return cannotBeValued;
    if (compare(after, limit) > 0) {
      return 'conversions have reached the exposure limit of the operator';
    }
    if (merchantLimit === undefined) return undefined;
    const merchantAfter = sumOfOpen(ofMerchant, value);
    if (merchantAfter === undefined) return cannotBeValued;
    return compare(merchantAfter, merchantLimit) > 0
      ? 'conversions of this merchant have reached the limit of the operator for one merchant'
      : undefined;
  };
}

const cannotBeValued =
  'the open position of conversions cannot be valued: a current rate is missing';

function noLimitReason({ to }: Conversion): string {
  return `a conversion to ${to.assetId} is not covered: EXPOSURE_LIMIT_USD is not set`;
}

/** With live keys. Undefined when a price is missing. */
export async function readOpenUsd(
  book: RateBook,
  reader: Reader,
  now: Temporal.Instant,
): Promise<Decimal | undefined> {
  const [converted, promised] = await Promise.all([
    listConvertedUnits(reader, 'live'),
    listPromisedUnits(reader, 'live', now),
  ]);
  return sumOfOpen(usdOfOpen(book, converted, now), usdOfOpen(book, promised, now));
}

/** What its windows hold, and what was converted for it in a day. */
async function readMerchantUsd(
  book: RateBook,
  reader: Reader,
  merchantId: string,
  now: Temporal.Instant,
): Promise<Decimal | undefined> {
  const [converted, promised] = await Promise.all([
    listConvertedFor(reader, merchantId, now.subtract({ hours: MERCHANT_HOURS })),
    listPromisedUnits(reader, 'live', now, merchantId),
  ]);
  return sumOfOpen(usdOfOpen(book, converted, now), usdOfOpen(book, promised, now));
}
