// Backups that the service makes by itself.

import { listBackups, openPlace, refuseShared } from '#backup/find-backup.ts';
import { backupSource, makeBackup, removeOld } from '#backup/make-backup.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import type { OpenDatabase } from './open-database.ts';
import { VERSION } from './version.ts';

/** Looked at so often; a place that is away is asked again then. */
const LOOK_MS = 300_000;
/** A look that comes a little early makes the backup too: it does not move by a look a day. */
const EARLY_MINUTES = 4;

/** Empty unless the settings ask for it. */
export function startBackups(app: App, database: Pick<OpenDatabase, 'connection'>): Loop[] {
  const { backup, roles } = app.config;
  const { everyHours, to } = backup;
  if (everyHours === undefined || to === undefined || !roles.includes('settle')) return [];
  const step = async (signal: AbortSignal) => {
    await backUpWhenDue(app, database, { everyHours, to, signal });
    return 'idle' as const;
  };
  const backoffMs = { first: LOOK_MS, most: LOOK_MS };
  return [startLoop({ name: 'backup', step, idleMs: LOOK_MS, backoffMs, ...app })];
}

type Due = {
  readonly everyHours: number;
  readonly to: string;
  readonly signal?: AbortSignal;
};

/** Any number of processes may ask: the place says when the last one was made. */
export async function backUpWhenDue(
  app: Pick<App, 'config' | 'clock' | 'log' | 'installationId' | 'keyring'>,
  database: Pick<OpenDatabase, 'connection'>,
  { everyHours, to, signal }: Due,
): Promise<string | undefined> {
  const { log, config } = app;
  const place = openPlace({ ...app, s3: config.backup.s3 }, to);
  try {
    // Those of another one say nothing of when ours is due.
    await refuseShared(place, app.installationId);
    const last = (await listBackups(place)).backups.at(-1)?.createdAt;
    const due = last?.add({ hours: everyHours }).subtract({ minutes: EARLY_MINUTES });
    if (due !== undefined && Temporal.Instant.compare(app.clock.now(), due) < 0) return undefined;
    const { recipients, keep } = config.backup;
    const source = backupSource(app, { ...database, version: VERSION, withKey: false });
    const onProgress = () => undefined;
    const made = await makeBackup(source, place, { recipients, onProgress, signal });
    const removed = keep === undefined ? [] : await removeOld(place, keep, app.installationId);
    const { name, bytes, rows } = made;
    log.info('a backup was made', { name, place: place.name, bytes, rows, removed });
    return name;
  } catch (error) {
    // Another process is at it: it says what became of it.
    if (error instanceof Refusal && error.code === 'backup_running') return undefined;
    if (signal?.aborted !== true) {
      log.error('the backup could not be made', { place: place.name, error });
    }
    throw error;
  }
}

/** Made by hand or by cron: a backup a day is what an operator means by one. */
const HOURS_BY_HAND = 24;

type BackupAge = {
  readonly ok: boolean;
  readonly detail: string;
  readonly madeAt: Temporal.Instant | undefined;
};

/** How old the last one is; more than two of its times is too old. Undefined: no place is set. */
export async function findBackupAge(
  app: Pick<App, 'config' | 'clock' | 'installationId'>,
): Promise<BackupAge | undefined> {
  const { to, s3, everyHours = HOURS_BY_HAND } = app.config.backup;
  if (to === undefined) return undefined;
  try {
    const place = openPlace({ ...app, s3 }, to);
    await refuseShared(place, app.installationId);
    const last = (await listBackups(place)).backups.at(-1);
    if (last === undefined)
      return { ok: false, detail: `there is none in ${place.name}`, madeAt: undefined };
    const hours = Math.floor(app.clock.now().since(last.createdAt).total('hours'));
    const detail = `${last.name} in ${place.name} is ${counted(hours, 'hour')} old`;
    return { ok: hours <= 2 * everyHours, detail, madeAt: last.createdAt };
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
    return { ok: false, detail: error.message, madeAt: undefined };
  }
}

export async function backupFinding(
  app: Pick<App, 'config' | 'clock' | 'installationId'>,
): Promise<{ readonly ok: boolean; readonly what: string; readonly detail: string }> {
  const detail = 'warning: BACKUP_TO is not set, so none is known here: docs/operate/backup.md';
  const { ok, detail: said } = (await findBackupAge(app)) ?? { ok: true, detail };
  return { ok, what: 'backups', detail: said };
}
