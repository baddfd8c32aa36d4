// Looks whether the database says the truth (invariants of the design: L ledger, R receipts, S
// checkouts, W events). Used after every step of the simulation, and by scenarios, races and
// nodes. Reads only, except that deciding again is tried in transactions that are rolled back.
import { findCheckoutRows } from '#checkout/checkout-store.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { readRecords } from '#checkout/read-records.ts';
import { type SettleCheckoutApp, settleCheckout } from '#checkout/settle-checkout.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
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
   * What is UNDERPAID since before may be worth enough today (decision 29), and nobody is asked to
   * decide it again because of that.
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
  // All at once on one connection: it is done after every step of thousands of stories.
  const found = await db.read((reader) =>
    Promise.all(queries.map((query) => reader.query<{ broken: string }>(query))),
  );
  const broken = found.flat().map((row) => row.broken);
  if (scope.merchantId === undefined) broken.push(...(await verifyLedger(db)).faults);
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
  const rows = await db.query<{ id: string; state: string; wasUnderpaid: boolean }>(sql`
    select id, state, coalesce(state = 'UNDERPAID' and created_at < ${pricesMovedAt ?? null}::timestamptz,
      false) as "wasUnderpaid"
    from checkout where ${owner} and (settle_at is null or settle_at > ${soon})`);
  const broken: string[] = [];
  for (const { id, state, wasUnderpaid } of rows) {
    const outcome = await tryToSettle(app, id);
    if (outcome === undefined || (wasUnderpaid && outcome.state === 'COMPLETED')) continue;
    const { state: after, events } = outcome;
    const made = `makes it ${after}, with ${events} events`;
    broken.push(`S5: deciding checkout ${id} (${state}) again without being asked ${made}`);
  }
  return broken;
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
  const stored = await readRecords(app, db, ids, findCheckoutRows(db, ids));
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
): Promise<{ readonly state: string; readonly events: number } | undefined> {
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
