// Looks whether the database says the truth (invariants of the design: L ledger, R receipts, S
// checkouts, W events). Used after every step of the simulation, and by scenarios, races and
// nodes. Reads only, except that deciding again is tried in transactions that are rolled back.
import { isBefore } from '#base/instant.ts';
import { findAnyCheckout, readStoredRecords } from '#checkout/find-checkout.ts';
import { lockOfReceipt, locksOf } from '#checkout-settlement/lock-of-receipt.ts';
import {
  type SettleCheckoutApp,
  type SettledCheckout,
  settleCheckout,
} from '#checkout-settlement/settle-checkout.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { verifyEvents } from '#event/prove-events.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import {
  type InvariantScope,
  invariantQueries,
  settledQueries,
  wholeQueries,
} from './invariant-queries.ts';

export type InvariantOptions = {
  readonly now: Temporal.Instant;
  /** Only what belongs to this merchant; the whole database and its ledger when absent. */
  readonly merchantId?: string;
  /** Checkouts whose window the test ended by hand. */
  readonly expiredByHand?: readonly string[];
  /** Every chain was read to its tip and everything due was decided: nothing may be left over. */
  readonly settled?: boolean;
  /** A price is missing: what needs it is asked for again within a few seconds, and not credited. */
  readonly waitsForPrice?: boolean;
  /**
   * Pending money that no window guarantees any more is weighed at the prices of the decision that
   * releases it (decision 29), and nobody decides again because prices moved. So what was credited
   * before this may be enough today; of every other checkout S5 holds.
   */
  readonly pricesMovedAt?: Temporal.Instant | undefined;
  /** With it: whatever is not due is decided again, which must change nothing (S5). */
  readonly settleApp?: SettleCheckoutApp;
};

/** A sentence for each thing that is broken; none when all is well. */
export async function checkInvariants(db: Db, options: InvariantOptions): Promise<string[]> {
  const scope: InvariantScope = {
    now: options.now,
    merchantId: options.merchantId,
    expiredByHand: options.expiredByHand ?? [],
    waitsForPrice: options.waitsForPrice ?? false,
  };
  const queries = [
    ...invariantQueries(scope),
    ...(scope.merchantId === undefined ? wholeQueries() : []),
    ...(options.settled ? settledQueries(scope) : []),
  ];
  // All in one statement: it is done after every step of thousands of stories.
  const all = queries
    .map((query) => sql`select broken from (${query}) as found`)
    .reduce((before, query) => sql`${before} union all ${query}`);
  const broken = (await db.query<{ broken: string }>(all)).map((row) => row.broken);
  if (scope.merchantId === undefined) {
    broken.push(...(await verifyLedger(db)).faults);
    broken.push(...(await verifyEvents({ db, clock: { now: () => scope.now } })).faults);
  }
  if (options.settleApp !== undefined) {
    broken.push(...(await decideAgain(db, options.settleApp, scope, options.pricesMovedAt)));
    broken.push(...(await readAgain(db, options.settleApp, scope)));
  }
  return broken;
}

/** A decision of this moment is due when the time of the next one has come, or nearly. */
const NEARLY_DUE_SECONDS = 5;

async function decideAgain(
  db: Db,
  app: SettleCheckoutApp,
  { now, merchantId }: InvariantScope,
  pricesMovedAt: Temporal.Instant | undefined,
): Promise<string[]> {
  const soon = now.add({ seconds: NEARLY_DUE_SECONDS });
  const owner = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`;
  const rows = await db.query<{ id: string; state: string }>(sql`
    select id, state from checkout where ${owner} and (settle_at is null or settle_at > ${soon})`);
  const broken: string[] = [];
  for (const { id, state } of rows) {
    const outcome = await tryToSettle(app, id);
    if (outcome === undefined) continue;
    const { state: after, events, waitsForRate: waits } = outcome;
    // PENDING: more of it is on its way.
    const isOpen = state === 'UNDERPAID' || state === 'PENDING';
    const mayFollow = isOpen && (after === 'COMPLETED' || waits);
    if (mayFollow && (await isWeighedToday(app, id, now, pricesMovedAt))) continue;
    const made = `makes it ${after}, with ${events} events`;
    broken.push(`S5: deciding checkout ${id} (${state}) again without being asked ${made}`);
  }
  return broken;
}

/**
 * Some of its money is late or of a window that ended, is credited and not released, and prices moved
 * since the last of its credits.
 */
async function isWeighedToday(
  app: SettleCheckoutApp,
  id: string,
  now: Temporal.Instant,
  pricesMovedAt: Temporal.Instant | undefined,
): Promise<boolean> {
  const record = await findAnyCheckout(app, id);
  if (record === undefined || pricesMovedAt === undefined) return false;
  const { credits, commitments, receipts } = record;
  const pending = credits.filter(
    ({ account, releasedAt, reversedAt }) =>
      account === 'pending' && releasedAt === undefined && reversedAt === undefined,
  );
  if (pending.some(({ creditedAt }) => isBefore(pricesMovedAt, creditedAt))) return false;
  const windowOf = lockOfReceipt(commitments.flatMap(locksOf), credits);
  return receipts.some((receipt) => {
    if (!pending.some(({ receiptId }) => receiptId === receipt.id)) return false;
    const window = windowOf(receipt);
    // Without a window a person assigned it: nobody guaranteed anything.
    return !window || isBefore(window.expiresAt, now);
  });
}

/** What a server remembers of a checkout is what is stored. */
async function readAgain(
  db: Db,
  app: SettleCheckoutApp,
  { merchantId }: InvariantScope,
): Promise<string[]> {
  const owner = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`;
  const rows = await db.query<{ id: string }>(sql`select id from checkout where ${owner}`);
  const ids = rows.map(({ id }) => id);
  const remembered = await Promise.all(ids.map((id) => findAnyCheckout(app, id)));
  const stored = await readStoredRecords(app, db, ids);
  const textById = new Map(stored.map((record) => [record.id, textOf(record)]));
  return ids
    .filter((id, index) => textOf(remembered[index]) !== textById.get(id))
    .map((id) => `S6: what is remembered of checkout ${id} is not what is stored`);
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}

class RolledBack extends Error {}

/** What a decision would change, rolled back; undefined when it changes nothing. */
async function tryToSettle(
  app: SettleCheckoutApp,
  id: string,
): Promise<(SettledCheckout & { readonly kind: 'changed' }) | undefined> {
  const db: Db = {
    ...app.db,
    transact: async <T>(act: (tx: Tx) => Promise<T>): Promise<T> => {
      let answer: T | undefined;
      try {
        await app.db.transact(async (tx) => {
          answer = await act(tx);
          throw new RolledBack();
        });
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
      }
      return answer as T;
    },
  };
  const outcome = await settleCheckout({ ...app, db }, id);
  return outcome.kind === 'changed' ? outcome : undefined;
}
