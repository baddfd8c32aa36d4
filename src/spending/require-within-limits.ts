// The gate of what a merchant sends out in 24 hours: transfers, refunds and swaps, all together.
// Guarantees: acts at once never exceed a limit together, because each waits for the others of its
// merchant before it looks; what was spent is summed from the ledger, never remembered; what cannot
// be valued is refused. An act counts what the merchant is debited, fees included, and counts no
// more once its money went back. Value is that of the moment in which somebody asks. A swap counts
// where one asset is limited, and not in the value of all assets: there what it buys counts when
// that is sent out.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader, Tx } from '#db/db.ts';
import { listSpentSince, type SpentAct } from '#ledger/account.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { convertUnits, rateFromPrices } from '#money/rate.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { decideLimit, LIMIT_WINDOW, type LimitVerdict, type Spent } from './decide-limit.ts';
import {
  isOfAllAssets,
  limitText,
  listLimitsOf,
  lockSpending,
  measuredText,
  type SpendingLimit,
} from './spending-limit.ts';

/**
 * For whoever is about to reserve so much: before the accounts of the ledger are locked.
 * @throws Refusal conflict `spending_limit`; unavailable `rate_missing`.
 */
export async function requireWithinLimits(
  app: SpendingApp,
  tx: Tx,
  owner: Owner,
  wanted: SpentAct,
  now: Temporal.Instant,
): Promise<void> {
  // The lock comes first in the same packet; each statement after it looks afresh.
  const [, limits, spent] = await Promise.all([
    lockSpending(tx, owner),
    listLimitsOf(tx, owner),
    listSpentSince(tx, owner, now.subtract(LIMIT_WINDOW)),
  ]);
  for (const limit of limits.filter(({ kind }) => kind === 'DAY')) {
    const wantedUnits = measure(app, limit, wanted, now);
    if (wantedUnits === 0n) continue;
    const measured = spent.map((one) => ({ at: one.at, units: measure(app, limit, one, now) }));
    const verdict = decideLimit(limit.mostUnits, measured, wantedUnits);
    if (!verdict.fits) throw overLimit(limit, verdict);
  }
}

/** How much of a limit is left now. @throws Refusal unavailable `rate_missing`. */
export async function leftOfLimits(
  app: SpendingApp & { readonly db: Reader },
  owner: Owner,
  limits: readonly SpendingLimit[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<SpendingLimit, bigint>> {
  const spent = await listSpentSince(app.db, owner, now.subtract(LIMIT_WINDOW));
  const leftOf = (limit: SpendingLimit) => {
    const measured = spent.map(
      (one): Spent => ({ at: one.at, units: measure(app, limit, one, now) }),
    );
    return decideLimit(limit.mostUnits, measured, 0n).leftUnits;
  };
  return new Map(limits.map((limit) => [limit, leftOf(limit)] as const));
}

function measure(
  app: SpendingApp,
  limit: SpendingLimit,
  amount: SpentAct,
  now: Temporal.Instant,
): bigint {
  if (amount.isConversion && isOfAllAssets(limit)) return 0n;
  const measured = measureAmount(app, limit, amount, now);
  if (measured !== undefined) return measured;
  throw new Refusal('unavailable', 'rate_missing', [
    `what is sent out is limited to ${limitText(limit)}, and ${amount.assetId} has no current ` +
      'rate: try again soon',
  ]);
}

function overLimit(limit: SpendingLimit, verdict: Extract<LimitVerdict, { fits: false }>): Refusal {
  const left = measuredText(limit.measure, verdict.leftUnits);
  const when =
    verdict.fitsFrom === undefined
      ? 'the amount alone is above the limit'
      : `the amount fits from ${verdict.fitsFrom.round('second')}`;
  return new Refusal('conflict', 'spending_limit', [
    `of the ${limitText(limit)} that may be sent out in 24 hours ${left} are left; ${when}`,
  ]);
}

// Whether one act is above a limit for single acts: then it waits, or needs a second person.

/** The first limit that it exceeds. What cannot be valued exceeds it. */
export async function findLimitAbove(
  app: SpendingApp,
  reader: Reader,
  owner: Owner,
  kind: 'TWO_PEOPLE' | 'COOL_DOWN',
  { amount, now }: { readonly amount: AssetAmount; readonly now: Temporal.Instant },
): Promise<SpendingLimit | undefined> {
  const limits = await listLimitsOf(reader, owner);
  return limits.find((limit) => {
    if (limit.kind !== kind) return false;
    const units = measureAmount(app, limit, amount, now);
    return units === undefined || units > limit.mostUnits;
  });
}

const COOL_DOWN = { hours: 24 } as const;

/** From when so much may go to a free address; undefined: at once. */
export async function restsUntil(
  app: SpendingApp,
  reader: Reader,
  owner: Owner,
  amount: AssetAmount,
  now: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const above = await findLimitAbove(app, reader, owner, 'COOL_DOWN', { amount, now });
  // As exactly as the database keeps it: it is sealed.
  return above && now.add(COOL_DOWN).round('millisecond');
}

// What an amount counts in what a limit counts: an asset, or the value of all assets in a currency.
export type SpendingApp = { readonly rates: RateBook };

/** Rounded up; 0 of another asset; undefined when it cannot be valued. */
function measureAmount(
  { rates }: SpendingApp,
  { measure: name, environment }: { readonly measure: string; readonly environment: Environment },
  { assetId, units }: AssetAmount,
  now: Temporal.Instant,
): bigint | undefined {
  if (name === assetId) return units;
  if (!isOfAllAssets({ measure: name })) return 0n;
  const { assetCode, decimals } = getAsset(assetId);
  if (assetCode === name) return rescale(units, decimals, getCurrency(name).decimals);
  const [price, target] = [assetCode, name].map((code) => rates.price(environment, code, now));
  if (price === undefined || target === undefined) return undefined;
  const { usdPrice } = target;
  const rate = rateFromPrices(price.usdPrice, decimals, usdPrice, getCurrency(name).decimals);
  return convertUnits(units, rate, 'up');
}

function rescale(units: bigint, from: number, to: number): bigint {
  return convertUnits(
    units,
    { numerator: 10n ** BigInt(to), denominator: 10n ** BigInt(from) },
    'up',
  );
}
