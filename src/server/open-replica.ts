// A standby of the database, for reads that decide about no money and may be some seconds old:
// reports and files of them, which read years.
//
// Guarantees: what is answered has everything that was committed so long ago (`BEHIND_MS_MOST`), or
// it comes from the database itself, as it does while the standby is away, far behind or refuses;
// nothing is written through it. Not guaranteed: that a read sees what its caller wrote just now.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Db, openDb, type Reader, type Statement, sql } from '#db/db.ts';
import { keepFresh } from './keep-fresh.ts';

/** A standby that lacks what was there so long ago is not asked. */
const BEHIND_MS_MOST = 30_000;
const LOOK_MS = 2_000;
const POOL_SIZE = 4;

export type Replica = Reader & { close(): Promise<void> };

type Place = { readonly lsn: string; readonly atMs: number };

export function openReplica(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  primary: Reader,
  connectionString: string,
): Replica {
  const standby = openDb({ connectionString, poolSize: POOL_SIZE, log });
  let noted: Place | undefined;
  let isTold = false;

  /** Whether it has what the database had at the look before, or has now where that is long ago. */
  async function look(): Promise<boolean> {
    const now = await placeOf(primary, clock);
    const isYoung = noted !== undefined && clock.monotonicMs() - noted.atMs <= BEHIND_MS_MOST;
    const floor = isYoung && noted !== undefined ? noted : now;
    const isUsable = await hasReached(standby, floor).catch(() => false);
    // As long as it lags, what it lacks stays what it has to reach: else it could lag for ever.
    if (isUsable || !isYoung) noted = now;
    if (!isUsable && !isTold) log.warn('reports are read from the database: the replica lags');
    isTold = !isUsable;
    return isUsable;
  }
  const isUsable = keepFresh(clock, LOOK_MS, look);
  return {
    async query<Row>(statement: Statement): Promise<Row[]> {
      // A standby breaks off what holds up its catching up for too long.
      const answer = (await isUsable())
        ? await standby.query<Row>(statement).catch(() => undefined)
        : undefined;
      return answer ?? primary.query<Row>(statement);
    },
    close: () => standby.close(),
  };
}

async function placeOf(primary: Reader, clock: Clock): Promise<Place> {
  const [row] = await primary.query<{ lsn: string }>(sql`
    select pg_current_wal_lsn()::text as lsn`);
  return { lsn: row?.lsn ?? '', atMs: clock.monotonicMs() };
}

/** False of a database that is no standby: it has no place that it has reached. */
async function hasReached(standby: Db, { lsn }: Place): Promise<boolean> {
  const [row] = await standby.query<{ isThere: boolean }>(sql`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as "isThere"`);
  return row?.isThere === true;
}
