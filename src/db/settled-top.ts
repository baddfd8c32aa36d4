// Rows are numbered when they are written and seen when their transaction ends, so one may appear
// below another that is visible already. Up to the settled top none can: it is the highest number
// seen, once every transaction that was writing to the table at that moment is over. Writers are
// never blocked, and "above what was read last" is a safe watermark. Transaction ids
// (pg_snapshot_xmin) would not do: a number is drawn before the transaction gets its id, and after
// a restore from a dump the ids begin again.
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { type Db, type Reader, type Statement, sql } from './db.ts';

export type NumberedTable = {
  readonly name: string;
  /** Its highest number, 0 when it is empty: one value. */
  readonly top: Statement;
};

const WAITS_MAX = 100;
const WAIT_MS = 10;

/**
 * The highest number below which none can appear any more. Undefined when it is not above `after`,
 * and when a transaction that is writing takes too long: the next call tries again.
 */
export async function findSettledTop(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  table: NumberedTable,
  after: bigint,
): Promise<bigint | undefined> {
  const { top, writers } = await findWriters(db, table);
  if (top <= after) return undefined;
  let remaining = writers;
  for (let waits = 0; remaining.length > 0; waits += 1) {
    if (waits === WAITS_MAX) return undefined;
    await clock.sleep(WAIT_MS);
    remaining = await findRemaining(db, table, remaining);
  }
  return top;
}

function writersOf({ name }: NumberedTable): Statement {
  return sql`array(
    select distinct virtualtransaction from pg_locks
    where locktype = 'relation' and relation = ${name}::text::regclass and granted
      and pid <> pg_backend_pid() and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database()))`;
}

/**
 * The highest number visible and the transactions that were then writing. The locks are read after
 * the snapshot was taken, so whoever has drawn a number up to `top` is finished or is listed: an
 * insert locks the table before it draws its number, and holds the lock until it ends. What the
 * asking transaction wrote itself it sees.
 */
async function findWriters(
  reader: Reader,
  table: NumberedTable,
): Promise<{ readonly top: bigint; readonly writers: readonly string[] }> {
  const [row] = await reader.query<{ top: bigint; writers: string[] }>(sql`
    with top as materialized (select (${table.top}) as number)
    select top.number as top, ${writersOf(table)} as writers from top`);
  assert(row !== undefined, 'an aggregate gives a row');
  return row;
}

async function findRemaining(
  reader: Reader,
  table: NumberedTable,
  writers: readonly string[],
): Promise<readonly string[]> {
  const [row] = await reader.query<{ writers: string[] }>(sql`
    select array(select unnest(${writersOf(table)}) intersect
                 select unnest(${writers}::text[])) as writers`);
  return row?.writers ?? [];
}
