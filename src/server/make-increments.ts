// Increments of the log of the database that the service makes by itself, and how they are.

import type { BackupPlace } from '#backup/backup-place.ts';
import { openPlace, refuseShared } from '#backup/find-backup.ts';
import { backupSource } from '#backup/make-backup.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { noteLook } from '#checkup/last-look.ts';
import { type Reader, sql } from '#db/db.ts';
import { findNewestChain } from '#increment/chain.ts';
import { makeIncrement, SLOT } from '#increment/make-increment.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { decideIncrements, type IncrementFinding, type LogSlot } from './decide-increments.ts';
import type { OpenDatabase } from './open-database.ts';
import { VERSION } from './version.ts';

const LOOK_MS = 30_000;
const LOOK_MS_MOST = 300_000;
/** A restore plays all of the log since: so old a chain is followed by a new one. */
const CHAIN_DAYS = 7;
/** What a look at them is called. */
export const INCREMENTS = 'increments';

type IncrementApp = Pick<App, 'config' | 'clock' | 'log' | 'installationId' | 'keyring'>;

/** Empty unless the settings ask for it. */
export function startIncrements(app: App, database: Pick<OpenDatabase, 'owner'>): Loop[] {
  const { backup, roles } = app.config;
  const { walMinutes: everyMinutes, to } = backup;
  if (everyMinutes === undefined || to === undefined || !roles.includes('settle')) return [];
  let due: Temporal.Instant | undefined;
  const step = async (signal: AbortSignal) => {
    // The place may be another machine: it is asked when one may be due.
    if (due !== undefined && Temporal.Instant.compare(app.clock.now(), due) < 0) return 'idle';
    due = await incrementWhenDue(app, database, { everyMinutes, to, signal });
    await noteIncrements(app);
    return 'idle' as const;
  };
  const backoffMs = { first: LOOK_MS, most: LOOK_MS_MOST };
  return [startLoop({ name: 'increments', step, idleMs: LOOK_MS, backoffMs, ...app })];
}

/** Whoever looks at it every ten minutes would know one as old as that. */
async function noteIncrements(app: App): Promise<void> {
  const found = await findIncrementAge(app);
  if (found === undefined) return;
  const look = { what: INCREMENTS, ...found };
  await app.db.transact(async (tx) => noteLook(tx, 'backup', [look], app.clock.now()));
}

type Due = {
  readonly everyMinutes: number;
  readonly to: string;
  readonly signal?: AbortSignal;
};

/** Any number of processes may ask: the place says when the next one is due. That is given. */
async function incrementWhenDue(
  app: IncrementApp,
  { owner }: Pick<OpenDatabase, 'owner'>,
  { everyMinutes, to, signal }: Due,
): Promise<Temporal.Instant> {
  const { log, config, clock } = app;
  const place = openPlace({ ...app, s3: config.backup.s3 }, to);
  const now = clock.now();
  const dueAfter = (at: Temporal.Instant) => at.add({ minutes: everyMinutes });
  try {
    // Those of another one say nothing of when ours is due.
    await refuseShared(place, app.installationId);
    const newest = await findNewestChain(place);
    const last = newest && Temporal.Instant.from(newest.last.createdAt);
    if (last !== undefined && Temporal.Instant.compare(now, dueAfter(last)) < 0)
      return dueAfter(last);
    const { recipients, walKeep: keep } = config.backup;
    const source = backupSource(app, { connection: owner, version: VERSION, withKey: false });
    const began = newest && Temporal.Instant.from(newest.base.createdAt);
    const isLong = began !== undefined && now.since(began).total('hours') >= CHAIN_DAYS * 24;
    const made = await makeIncrement(source, place, {
      ...{ recipients, keep, signal, now: () => clock.now(), onProgress: () => undefined },
      base: isLong ? `the last one is ${CHAIN_DAYS} days old` : undefined,
    });
    const { begun, removed } = made;
    const bytes = made.links.reduce((sum, link) => sum + link.bytes, 0);
    const numbers = made.links.map(({ number }) => number);
    const chain = made.links.at(-1)?.chain;
    log.info('an increment was made', { chain, numbers, place: place.name, bytes, begun, removed });
    return dueAfter(now);
  } catch (error) {
    // Another process is at it: it says what became of it.
    if (error instanceof Refusal && error.code === 'backup_running') return dueAfter(now);
    if (signal?.aborted !== true) {
      log.error('the increment could not be made', { place: place.name, error });
    }
    throw error;
  }
}

/** Undefined where nobody makes any, and nothing is left of them. */
export async function findIncrementAge(
  app: Pick<App, 'config' | 'clock' | 'db' | 'installationId'>,
): Promise<IncrementFinding | undefined> {
  const { to, s3, walMinutes: everyMinutes } = app.config.backup;
  const slot = await findLogSlot(app.db);
  try {
    const place = to === undefined ? undefined : openPlace({ ...app, s3 }, to);
    if (place !== undefined) await refuseShared(place, app.installationId);
    const newest = place && (await findNewest(place));
    return decideIncrements({
      now: app.clock.now(),
      everyMinutes,
      place: place?.name,
      newest,
      slot,
    });
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
    return { ok: false, detail: error.message, madeAt: undefined };
  }
}

async function findNewest(place: BackupPlace) {
  const found = await findNewestChain(place);
  if (found === undefined) return undefined;
  const { chain, number, createdAt } = found.last;
  return { chain, number, createdAt: Temporal.Instant.from(createdAt), gap: found.gap };
}

/** What the server keeps of its log until it was stored; undefined where nothing asks it to. */
export async function findLogSlot(reader: Reader): Promise<LogSlot | undefined> {
  const [row] = await reader.query<{ heldBytes: bigint; mostMb: bigint; isLost: boolean }>(sql`
    select coalesce(pg_current_wal_lsn() - restart_lsn, 0)::bigint as "heldBytes",
      (select setting::bigint from pg_settings where name = 'max_slot_wal_keep_size') as "mostMb",
      coalesce(wal_status = 'lost', false) as "isLost"
    from pg_replication_slots where slot_name = ${SLOT}`);
  if (row === undefined) return undefined;
  const { heldBytes, mostMb, isLost } = row;
  return { heldBytes, isLost, mostBytes: mostMb < 0n ? undefined : mostMb * 1_048_576n };
}

export async function incrementFindings(
  app: Pick<App, 'config' | 'clock' | 'db' | 'installationId'>,
): Promise<{ readonly ok: boolean; readonly what: string; readonly detail: string }[]> {
  const found = await findIncrementAge(app);
  return found === undefined ? [] : [{ what: INCREMENTS, ok: found.ok, detail: found.detail }];
}
