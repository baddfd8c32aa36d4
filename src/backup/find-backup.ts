// Which place a name means, and which backups lie there. A backup is two files, `quittance-….age`
// and, written after it, `quittance-….json`: what has no second file is not whole.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type BackupPlace, SEALED, SHOWN } from './backup-place.ts';
import { openFolder } from './folder-place.ts';
import { parseShown, type ShownManifest } from './manifest.ts';
import { openBucket, type S3Account } from './s3-place.ts';

/** What is asked of a place by name, where that name is of a bucket. */
type PlaceApp = {
  readonly clock: Clock;
  readonly s3: S3Account | undefined;
};

const WHOLE = /^quittance-\d{8}T\d{6}Z\.json$/;
const INCREMENT = /^quittance-wal-\d{8}T\d{6}Z\.\d{5}\.json$/;
const OURS = /^(quittance-\d{8}T\d{6}Z)\.(?:age|json)$/;

/** `s3://bucket/prefix`, or the path of a folder. @throws Refusal */
export function openPlace(app: PlaceApp, text: string): BackupPlace {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined) {
    if (text.includes('://')) {
      throw new Refusal('invalid', 'backup_place', [
        `${text}: a place is a folder or s3://bucket/prefix`,
      ]);
    }
    return openFolder(text);
  }
  if (app.s3 === undefined) {
    throw new Refusal('invalid', 'backup_place', [
      `${text}: BACKUP_S3_KEY_ID and BACKUP_S3_SECRET_FILE say who may write there`,
    ]);
  }
  return openBucket({ ...app, s3: app.s3 }, bucket, prefix);
}

/**
 * Two installations in one place would take each other's backups for their own: none would be due,
 * chains would begin anew each time, and old ones of the other would go. The newest backup and the
 * newest increment say whose the place is; one that does not say it (of an earlier version) is
 * nobody's.
 * @throws Refusal `backup_place`
 */
export async function refuseShared(
  place: Pick<BackupPlace, 'name' | 'list' | 'read'>,
  installationId: string,
): Promise<void> {
  const files = (await place.list()).sort();
  for (const kind of [WHOLE, INCREMENT]) {
    const newest = files.findLast((file) => kind.test(file));
    const owner = newest && ownerOf(await textOf(await place.read(newest)));
    if (owner === undefined || owner === installationId) continue;
    throw new Refusal(
      'conflict',
      'backup_place',
      `${place.name} holds backups of another installation (${newest} is of ${owner}, this is ` +
        `${installationId}): set BACKUP_TO to a place of its own, or move those away`,
    );
  }
}

/** What is no JSON is refused by who reads it for more. */
function ownerOf(text: string): string | undefined {
  try {
    const { installationId } = Object(JSON.parse(text)) as { readonly installationId?: unknown };
    return typeof installationId === 'string' ? installationId : undefined;
  } catch {
    return undefined;
  }
}

type Listed = {
  /** The oldest first. */
  readonly backups: readonly ShownManifest[];
  /** Names without a manifest that can be read: unfinished, or not ours. */
  readonly unfinished: readonly string[];
};

export async function listBackups(place: BackupPlace): Promise<Listed> {
  const files = new Set(await place.list());
  const names = [...files].flatMap((file) => OURS.exec(file)?.[1] ?? []);
  const backups: ShownManifest[] = [];
  const unfinished: string[] = [];
  for (const name of [...new Set(names)].sort()) {
    if (!files.has(name + SHOWN) || !files.has(name + SEALED)) {
      unfinished.push(name);
      continue;
    }
    const shown = parseShown(await textOf(await place.read(name + SHOWN)));
    backups.push(shown);
  }
  return { backups, unfinished };
}

/** The one of that name, else the newest. @throws Refusal `backup_missing` */
export async function findBackup(
  place: BackupPlace,
  name: string | undefined,
): Promise<ShownManifest> {
  const { backups } = await listBackups(place);
  const found =
    name === undefined ? backups.at(-1) : backups.find((backup) => backup.name === name);
  if (found !== undefined) return found;
  const what = name === undefined ? 'no backup' : `no backup ${name}`;
  throw new Refusal('missing', 'backup_missing', `there is ${what} in ${place.name}`);
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
