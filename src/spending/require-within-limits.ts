// The gate of what a merchant sends out in 24 hours: transfers, refunds and swaps, all together.
// Guarantees: acts at once never exceed a limit together, because each waits for the others of its
// merchant before it looks; what was spent is summed from the ledger, never remembered; what cannot
// be valued is refused. An act counts what the merchant is debited, fees included, and counts no
// more once its money went back. Value is that of the moment in which somebody asks. A swap counts
// where one asset is limited, and not in the value of all assets: there what it buys counts when
// that is sent out.
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader, Tx } from '#db/db.ts';
import { listSpentSince, type SpentAct } from '#ledger/balance.ts';
import { decideLimit, LIMIT_WINDOW, type LimitVerdict, type Spent } from './decide-limit.ts';
import { measureAmount, type SpendingApp } from './measure-amount.ts';
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
