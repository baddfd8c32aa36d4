// A backup of the running service: all rows as of one moment, the settings, and what tells the key
// file again, sealed for the recipients while it is read and written. Never in it: the key file
// (unless it is asked for) and the record of what was given out, which must not come back with the
// database (decision 27).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';
import { type CopyConnection, openCopyConnection } from '#db/copy-connection.ts';
import { keyCheckOf } from '#installation/installation.ts';
import type { Keyring } from '#installation/keyring.ts';
import { findSealHead } from '#ledger/seal-entries.ts';
import { type BackupPlace, SEALED, SHOWN } from './backup-place.ts';
import { decideRemoved, type KeepPolicy } from './decide-kept.ts';
import { listBackups, refuseShared } from './find-backup.ts';
import { END_FILE, MANIFEST_FILE } from './load-archive.ts';
import { backupName, manifestText, type SealedManifest, type ShownManifest } from './manifest.ts';
import { openSnapshot, type Snapshot } from './open-snapshot.ts';
import { sealArchive } from './seal-archive.ts';
import { TAR_END, tarEntry } from './tar.ts';

export type BackupSource = {
  /** How the database is reached: by a role that may read all of it. */
  readonly connection: Parameters<typeof openCopyConnection>[0];
  readonly version: string;
  readonly installationId: string;
  readonly keyFile: { readonly path: string; readonly check: string };
  /** As lines of a settings file, with the passwords in them. */
  readonly settings: string;
  /** Undefined unless it is to be in the backup. */
  readonly key: Uint8Array | undefined;
};

type SourceApp = {
  readonly config: {
    readonly keyFile: string;
    /** Settings as they were set, by name. */
    readonly given: ReadonlyMap<string, string>;
  };
  readonly installationId: string;
  readonly keyring: Keyring;
};

type BackupOptions = {
  readonly recipients: readonly string[];
  readonly onProgress: (step: string) => void;
  /** Ends it in the middle: then there is none. */
  readonly signal?: AbortSignal;
};

/** What was begun so long before the newest one is nobody's work any more. */
const TAKEN_PAUSE_MS = 100;
const UNFINISHED_HOURS = 7 * 24;
const UNFINISHED = /^(quittance-\d{8}T\d{6}Z)\.age(?:\.part)?$/;

export const SETTINGS_ENTRY = 'quittance.conf';
export const KEY_ENTRY = 'quittance.key';

/** `withKey`: the key file as well, which opens every secret of the database. */
export function backupSource(
  { config, installationId, keyring }: SourceApp,
  {
    connection,
    version,
    withKey,
  }: Pick<BackupSource, 'connection' | 'version'> & { readonly withKey: boolean },
): BackupSource {
  return {
    ...{ connection, version, installationId },
    keyFile: { path: config.keyFile, check: keyCheckOf(keyring).toHex() },
    settings: settingsText(config.given),
    key: withKey ? readFileSync(config.keyFile) : undefined,
  };
}

/** As a settings file. The database is another one where it is restored. */
function settingsText(given: ReadonlyMap<string, string>): string {
  const lines = [...given]
    .filter(([name]) => name !== 'DATABASE_URL' && name !== 'DATABASE_OWNER_URL')
    .map(([name, value]) => `${name}=${value}`);
  return `${lines.sort().join('\n')}\n`;
}

/** @throws Refusal, Outage; then there is no new backup in the place. */
export async function makeBackup(
  source: BackupSource,
  place: Pick<BackupPlace, 'write'> & Partial<BackupPlace>,
  { recipients, onProgress, signal }: BackupOptions,
): Promise<ShownManifest> {
  if (recipients.length === 0) {
    throw new Refusal('invalid', 'backup_recipient', [
      'no recipient is set, and nothing leaves unsealed: npx quittance backup key makes one',
    ]);
  }
  const { name: placeName, list, read } = place;
  if (placeName !== undefined && list !== undefined && read !== undefined)
    await refuseShared({ name: placeName, list, read }, source.installationId);
  const { connection, snapshot, manifest, name } = await begin(source, place);
  try {
    const told = { rows: 0n };
    const archive = archiveOf(source, snapshot, { manifest, told, onProgress });
    const sealed = await sealArchive(archive, recipients);
    const counted = { bytes: 0, digest: createHash('sha256') };
    await place.write(name + SEALED, counting(sealed, counted, signal));
    const { migrations, tables: _tables, sequences: _sequences, ...facts } = manifest;
    const shown: ShownManifest = {
      ...facts,
      name,
      migration: migrations.at(-1)?.name ?? 'none',
      bytes: counted.bytes,
      sha256: counted.digest.digest('hex'),
      rows: `${told.rows}`,
      recipients: recipients.length,
    };
    try {
      await place.write(name + SHOWN, only(Buffer.from(manifestText(shown))));
    } catch (error) {
      // It would take the space that is missing, and be none.
      await place.remove?.(name + SEALED);
      throw error;
    }
    return shown;
  } finally {
    await connection.close();
  }
}

type Begun = {
  readonly connection: CopyConnection;
  readonly snapshot: Snapshot;
  readonly manifest: SealedManifest;
  readonly name: string;
};

/**
 * A name says a second. A second backup in it would take the place of the first, and take it along
 * where it fails: it is of a later second then.
 */
async function begin(
  source: BackupSource,
  place: Partial<Pick<BackupPlace, 'list'>>,
): Promise<Begun> {
  for (;;) {
    const connection = await openCopyConnection(source.connection);
    try {
      const snapshot = await openSnapshot(connection);
      const manifest = sealedManifest(source, snapshot, await findSealHead(connection));
      const name = backupName(manifest.createdAt);
      // Whether anything can be written there is told when it is.
      const files = (await place.list?.().catch(() => [])) ?? [];
      if (!files.some((file) => file === name + SEALED || file === name + SHOWN)) {
        return { connection, snapshot, manifest, name };
      }
    } catch (error) {
      await connection.close();
      throw error;
    }
    await connection.close();
    await sleep(TAKEN_PAUSE_MS);
  }
}

/**
 * Those of this installation whose time is over, with what was never finished; gives the names of
 * the former. What another one left there counts for nothing and stays.
 */
export async function removeOld(
  place: BackupPlace,
  policy: KeepPolicy,
  installationId: string,
): Promise<string[]> {
  const { backups } = await listBackups(place);
  const own = backups.filter((one) => (one.installationId ?? installationId) === installationId);
  const names = decideRemoved(own, policy);
  for (const name of names) {
    await place.remove(name + SEALED);
    await place.remove(name + SHOWN);
  }
  await removeUnfinished(place, backups);
  return names;
}

/** Of processes that were killed. One that is made now is as new as the newest. */
async function removeUnfinished(
  place: BackupPlace,
  backups: readonly ShownManifest[],
): Promise<void> {
  const newest = backups.at(-1);
  if (newest === undefined) return;
  const before = backupName(newest.createdAt.subtract({ hours: UNFINISHED_HOURS }));
  const whole = new Set(backups.map(({ name }) => name));
  for (const file of await place.list()) {
    const [, name] = UNFINISHED.exec(file) ?? [];
    if (name !== undefined && name < before && !whole.has(name)) await place.remove(file);
  }
}

function sealedManifest(
  { version, installationId, keyFile, key }: BackupSource,
  { takenAt, postgres, tables, sequences, migrations }: Snapshot,
  head: Awaited<ReturnType<typeof findSealHead>>,
): SealedManifest {
  const ledgerHead =
    head === undefined
      ? null
      : { number: `${head.number}`, lastEntry: `${head.lastEntry}`, hash: head.hash };
  return {
    ...{ format: 1, createdAt: takenAt, version, postgres, installationId, ledgerHead },
    keyFile: { ...keyFile, isIncluded: key !== undefined },
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences: [...sequences],
  };
}

type Archived = {
  readonly manifest: SealedManifest;
  readonly told: { rows: bigint };
  readonly onProgress: (step: string) => void;
};

async function* archiveOf(
  { settings, key }: BackupSource,
  snapshot: Snapshot,
  { manifest, told, onProgress }: Archived,
): AsyncGenerator<Uint8Array> {
  const at = manifest.createdAt;
  const entry = (name: string, bytes: Uint8Array) => tarEntry({ name, bytes }, at);
  yield* entry(MANIFEST_FILE, Buffer.from(manifestText(manifest)));
  yield* entry(SETTINGS_ENTRY, Buffer.from(settings));
  if (key !== undefined) yield* entry(KEY_ENTRY, key);
  const files = snapshot.files(onProgress);
  for (let next = await files.next(); ; next = await files.next()) {
    if (next.done === true) {
      told.rows = next.value;
      break;
    }
    yield* tarEntry(next.value, at);
  }
  yield* entry(END_FILE, Buffer.from(`${JSON.stringify({ rows: `${told.rows}` })}\n`));
  yield TAR_END;
}

async function* counting(
  source: AsyncIterable<Uint8Array>,
  counted: { bytes: number; readonly digest: ReturnType<typeof createHash> },
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    signal?.throwIfAborted();
    counted.bytes += chunk.length;
    counted.digest.update(chunk);
    yield chunk;
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
