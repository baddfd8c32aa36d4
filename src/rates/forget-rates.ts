// Rates are stored every 45 seconds and are needed later only where money was locked, swapped or
// credited at them. The others go when they are older than they are kept, in batches that each look
// at one range of row numbers. Guarantees: a rate that is named by a lock, a swap, a credit or any
// entry of the ledger stays for ever. The reference prices of the sandbox stay as well: they are
// few.
import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import { deleteUnusedRates, findRateBatch } from './forget-rates-store.ts';

const BATCH = 5_000;
/** A rate is used at most so long after it was taken: a quote lives 60 minutes. */
const USED_WITHIN = Temporal.Duration.from({ hours: 3 });

export type ForgetRatesApp = { readonly db: Db; readonly clock: Clock };

export type Forgotten = {
  readonly forgotten: number;
  /** Where the next batch begins; undefined when all old ones were looked at. */
  readonly after: bigint | undefined;
};

/** One batch of old rates above the row number `after`. */
export async function forgetRates(
  { db, clock }: ForgetRatesApp,
  { keptDays, after }: { readonly keptDays: number; readonly after: bigint },
): Promise<Forgotten> {
  const before = clock.now().subtract({ hours: 24 * keptDays });
  const batch = await findRateBatch(db, { after, before, limit: BATCH });
  if (batch === undefined) return { forgotten: 0, after: undefined };
  const { size, lastId: upTo, firstAt: usedFrom, lastAt } = batch;
  const usedUntil = lastAt.add(USED_WITHIN);
  const range = { after, upTo, lastAt, usedFrom, usedUntil };
  const forgotten = await db.single((tx) => deleteUnusedRates(tx, range));
  return { forgotten, after: size < BATCH ? undefined : upTo };
}
