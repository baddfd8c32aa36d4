// A chain of increments back to its last moment: every link is read and checked before anything is
// made; then a server of this program plays the log, and what it holds becomes a backup as any
// other (all rows, sealed for an identity that nobody else has), which is restored as they are. So
// a chain comes back into any database, and nothing of the old server but its rows.

import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, mkdirSync, rmSync } from 'node:fs';
import { appendFile, mkdtemp, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupPlace, SEALED } from '#backup/backup-place.ts';
import { openPlace } from '#backup/find-backup.ts';
import { makeBackup } from '#backup/make-backup.ts';
import type { restoreBackup } from '#backup/restore-backup.ts';
import { newIdentity, openArchive } from '#backup/seal-archive.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { findPlayer, playLog } from '#postgres/postgres-server.ts';
import { fileOf, findGap, type Link, listChains } from './chain.ts';
import { FACTS, type IncrementFacts } from './make-increment.ts';
import { unpackFiles } from './unpack-files.ts';

type Recovery = {
  readonly clock: Clock;
  readonly identities: readonly string[];
  /** A directory with as much space as the server took, its log and a backup of it. */
  readonly scratch: string;
  /** Where the programs of the PostgreSQL lie whose files these are; undefined: found here. */
  readonly programs: string | undefined;
  readonly onProgress: (step: string) => void;
};

type Recovered = {
  readonly name: string;
  /** Its files are removed when it was read. */
  readonly source: Parameters<typeof restoreBackup>[0];
};

/** The chain of that name, or the newest. @throws Refusal; then nothing was made. */
export async function recoverChain(
  from: BackupPlace,
  name: string | undefined,
  { clock, identities, scratch, programs, onProgress }: Recovery,
): Promise<Recovered> {
  const chains = await listChains(from);
  const chosen = name ?? [...chains.keys()].at(-1);
  const links = chains.get(chosen ?? '');
  const [base] = links ?? [];
  if (chosen === undefined || links === undefined) {
    throw new Refusal('missing', 'backup_missing', [
      `there is no chain ${name ?? 'of increments'} in ${from.name}`,
    ]);
  }
  const gap = findGap(links);
  if (gap !== undefined || base === undefined) throw damaged(chosen, gap ?? 'it is empty');
  const player = await findPlayer(base.postgres, programs);
  onProgress('reading and checking every increment');
  for (const link of links) await checkSum(from, link);
  mkdirSync(scratch, { recursive: true });
  const place = await mkdtemp(join(scratch, 'quittance-recover-'));
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    // The server of a process of root runs as another user, who has to pass through.
    chmodSync(place, 0o711);
    const opened = (file: string) => openFile(from, file, identities);
    const facts = JSON.parse(await textOf(await opened(fileOf(base, FACTS)))) as IncrementFacts;
    const cluster = join(place, 'cluster');
    mkdirSync(cluster, { mode: 0o700 });
    onProgress('unpacking the files of the server');
    await unpackFiles(await opened(fileOf(base, SEALED)), cluster);
    for (const link of links.slice(1)) {
      await writeSegments(join(cluster, 'pg_wal'), link, await opened(fileOf(link, SEALED)));
    }
    await settleIn(cluster);
    onProgress('playing the log');
    const server = await playLog(cluster, base, place, player);
    const own = await newIdentity();
    const backups = join(place, 'backup');
    const made = await makeBackup(
      { ...facts, connection: server.connection, key: undefined },
      openPlace({ clock, s3: undefined }, backups),
      { recipients: [own.recipient], onProgress },
    ).finally(() => server.close());
    rmSync(cluster, { recursive: true, force: true });
    const sealed = thenRemove(join(backups, made.name + SEALED), remove);
    return { name: chosen, source: { sealed, sha256: made.sha256, identities: [own.identity] } };
  } catch (error) {
    remove();
    throw error;
  }
}

async function checkSum(from: BackupPlace, link: Link): Promise<void> {
  const file = fileOf(link, SEALED);
  const digest = createHash('sha256');
  for await (const chunk of await from.read(file)) digest.update(chunk);
  if (digest.digest('hex') === link.sha256) return;
  const rest = link.number === 0 ? '' : `; those before number ${link.number} are whole`;
  throw damaged(link.chain, `${file} is not what was written there${rest}`);
}

async function openFile(from: BackupPlace, file: string, identities: readonly string[]) {
  return openArchive(await from.read(file), identities);
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** The log lies in files of one size, named after their place; what is not there yet is zero. */
async function writeSegments(
  directory: string,
  { from, timeline, segmentBytes }: Link,
  log: AsyncIterable<Uint8Array>,
): Promise<void> {
  const size = BigInt(segmentBytes);
  const hex = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0');
  const perHigh = (1n << 32n) / size;
  let at = BigInt(from);
  for await (const chunk of log) {
    for (let rest = chunk; rest.length > 0; ) {
      const segment = at / size;
      const within = Number(at % size);
      const part = rest.subarray(0, segmentBytes - within);
      const name = hex(timeline) + hex(segment / perHigh) + hex(segment % perHigh);
      await appendFile(join(directory, name), '', { mode: 0o600 });
      await using file = await open(join(directory, name), 'r+');
      if ((await file.stat()).size < segmentBytes) await file.truncate(segmentBytes);
      await file.write(part, 0, part.length, within);
      at += BigInt(part.length);
      rest = rest.subarray(part.length);
    }
  }
}

const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf'];

/** None of its settings: where it listened and who might come in was of that machine. */
async function settleIn(cluster: string): Promise<void> {
  for (const file of LEFT_OUT) rmSync(join(cluster, file), { force: true });
  await writeFile(join(cluster, 'postgresql.conf'), '');
  await writeFile(join(cluster, 'pg_ident.conf'), '');
  // In a directory that nobody else may enter.
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
  await writeFile(join(cluster, 'recovery.signal'), '');
}

async function* thenRemove(path: string, remove: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
  } finally {
    remove();
  }
}

function damaged(chain: string, how: string): Refusal {
  return new Refusal('conflict', 'backup_damaged', `${chain} cannot be restored: ${how}`);
}
