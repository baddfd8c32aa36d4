// Which things wait to be decided. Every table of things that are paid for has the same three
// columns for it: settle_at, settle_failures and parked_reason.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { fragment } from '#db/statement.ts';
import type { AffectedPurpose, DepositPurpose } from '#deposit/deposit-instruction.ts';
import { type Tracer, traced } from '#tracing/trace.ts';

type Queue = {
  readonly table: Statement;
  /** What else is written when facts about one changed. */
  readonly alsoSet: Statement;
};

const QUEUES: Record<DepositPurpose, Queue> = {
  // Open pages are told of what changed in a transaction (checkout/list-checkouts.ts).
  checkout: { table: sql`checkout`, alsoSet: sql`, changed_in = pg_current_xact_id()` },
  'deposit-address': { table: sql`deposit_address`, alsoSet: sql`` },
};
/** In the order in which they are locked. */
const PURPOSES: readonly DepositPurpose[] = ['checkout', 'deposit-address'];

/** Failures after which a thing is shown to a person. It is tried again all the same. */
const FAILURES_MOST = 5;
const MOST_PER_STEP = 200;
/** In one transaction: more would make others wait for their checkouts, and save little. */
const TOGETHER_MOST = 16;

/**
 * Facts about these changed: they are decided again. Runs in the transaction that records the
 * facts, before it writes the receipts: who holds a thing holds its receipts.
 */
export function requestSettlement(
  tx: Tx,
  paid: readonly AffectedPurpose[],
  now: Temporal.Instant,
): void {
  for (const purpose of PURPOSES) {
    const ids = paid.filter((one) => one.purpose === purpose).map((one) => one.purposeId);
    if (ids.length === 0) continue;
    const { table, alsoSet } = QUEUES[purpose];
    tx.send(sql`
      update ${table} set settle_at = least(settle_at, ${now})${alsoSet}
      where id in (select id from ${table} where id = any(${ids}::text[]) order by id for update)`);
  }
}

/**
 * Planned alike whatever the statistics say, which may be of an hour in which nothing waited. With
 * `settle_at is not null` they would say that no row is found, and the limit would count for
 * nothing; without it a fixed share is expected. The limit stands in the text: the plan sees it.
 */
async function listDue(
  reader: Reader,
  purpose: DepositPurpose,
  now: Temporal.Instant,
): Promise<string[]> {
  const rows = await reader.query<{ id: string }>(sql`
    select id from ${QUEUES[purpose].table} where settle_at <= ${now}
    order by settle_at limit ${fragment(String(MOST_PER_STEP))}`);
  return rows.map(({ id }) => id);
}

/** A decision that failed as a bug. */
async function recordFailure(
  tx: Tx,
  purpose: DepositPurpose,
  id: string,
  { reason, retryAt }: { readonly reason: string; readonly retryAt: Temporal.Instant },
): Promise<void> {
  await tx.query(sql`
    update ${QUEUES[purpose].table} set settle_failures = settle_failures + 1,
      settle_at = ${retryAt}, parked_reason = case
        when settle_failures >= ${FAILURES_MOST - 1} then ${reason} else parked_reason end
    where id = ${id}`);
}

/** Those that wait for a person, as `npx quittance parked list` shows them (list-parked.ts). */
export function selectParked(slow: Temporal.Instant): Statement {
  return sql`
    select 'checkout' as kind, id, settle_at as since, parked_reason as why, true as "isMended"
    from ${QUEUES.checkout.table} where parked_reason is not null
    union all
    select 'deposit-address', id, settle_at,
      coalesce(parked_reason, 'its payments were not decided, see the log'), true
    from ${QUEUES['deposit-address'].table} where parked_reason is not null or settle_at < ${slow}`;
}

/** Makes one of them due at once. Answers no row when it does not wait. */
export function retryParkedOf(
  purpose: DepositPurpose,
  id: string,
  now: Temporal.Instant,
): Statement {
  const orLate = purpose === 'checkout' ? sql`` : sql` or settle_at < ${now}`;
  return sql`
    update ${QUEUES[purpose].table} set parked_reason = null, settle_failures = 0,
      settle_at = ${now}
    where id = ${id} and (parked_reason is not null${orLate}) returning id`;
}

// One bounded step of a settle loop: decides every thing of one purpose whose facts changed or
// whose time came.
type SettleDueApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
};

const RETRY_SECONDS = 30;

export async function settleDue(
  app: SettleDueApp,
  due: {
    readonly purpose: DepositPurpose;
    readonly atOnce: number;
    /** Settles one, and wakes whoever waits for what it told. */
    readonly settle: (id: string) => Promise<void>;
    /**
     * Settles several in one transaction, where nothing is to be weighed: answers which. All of
     * them or none when it throws.
     */
    readonly settleTogether?: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  },
): Promise<'idle' | 'busy'> {
  const ids = await listDue(app.db, due.purpose, app.clock.now());
  const each = Math.min(TOGETHER_MOST, Math.ceil(ids.length / due.atOnce));
  let next = 0;
  const work = async () => {
    while (next < ids.length) {
      const some = ids.slice(next, next + each);
      next += each;
      const settled = await settleSome(app, due, some);
      for (const id of some) if (!settled.has(id)) await settleOne(app, due, id);
    }
  };
  await Promise.all(Array.from({ length: due.atOnce }, work));
  return ids.length === MOST_PER_STEP ? 'busy' : 'idle';
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Those that could be settled together. One that fails undoes what was done with the others: then
 * each is settled by itself, and the failure is recorded of the one that it belongs to. With traces
 * on each has a span of its own, and a transaction.
 */
async function settleSome(
  app: SettleDueApp,
  { settleTogether }: Parameters<typeof settleDue>[1],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length < 2 || settleTogether === undefined || app.tracer !== undefined) return NONE;
  try {
    return await settleTogether(ids);
  } catch (error) {
    if (error instanceof Outage) throw error;
    return NONE;
  }
}

/** A bug in one is recorded, and never keeps the others from being settled (C21). */
async function settleOne(
  app: SettleDueApp,
  { purpose, settle }: Parameters<typeof settleDue>[1],
  id: string,
): Promise<void> {
  try {
    const attributes = { 'quittance.purpose': purpose };
    const span = { name: `settle ${purpose}`, kind: 'internal', attributes } as const;
    await traced(app.tracer, span, () => settle(id));
  } catch (error) {
    if (error instanceof Outage) throw error;
    app.log.error('settling failed', { purpose, id, error });
    const retryAt = app.clock.now().add({ seconds: RETRY_SECONDS });
    const reason = error instanceof Error ? error.message : String(error);
    await app.db.single((tx) => recordFailure(tx, purpose, id, { reason, retryAt }));
  }
}
