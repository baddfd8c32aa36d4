// The next link of a chain, read from the running server by its replication protocol: no tool of
// PostgreSQL is needed. A slot keeps the log on the server until it was stored; what was stored
// lets it go. Where the last chain cannot go on (another server, a restored one, a slot that is
// gone) a new one begins, and says so.

import { createHash } from 'node:crypto';
import { type BackupPlace, SEALED, SHOWN } from '#backup/backup-place.ts';
import { refuseShared } from '#backup/find-backup.ts';
import type { BackupSource } from '#backup/make-backup.ts';
import { sealArchive } from '#backup/seal-archive.ts';
import { Refusal } from '#base/refusal.ts';
import { openReplication, type ReplicationConnection } from '#db/copy-connection.ts';
import { fileOf, findNewestChain, type Link, listChains, type NewestChain } from './chain.ts';
import { decideOldChains } from './decide-old-chains.ts';

type Wanted = {
  readonly recipients: readonly string[];
  /** Why a new chain is to be begun in any case. */
  readonly base: string | undefined;
  /** How many whole chains stay after a new one was begun. */
  readonly keep: number;
  readonly now: () => Temporal.Instant;
  readonly onProgress: (step: string) => void;
  /** Ends it in the middle: then there is none. */
  readonly signal?: AbortSignal | undefined;
};

type Made = {
  readonly links: readonly Link[];
  /** Why a chain was begun; undefined where one goes on. */
  readonly begun: string | undefined;
  readonly removed: readonly string[];
};

export const SLOT = 'quittance_backup';
/** Any constant does: two that write the next link of one chain would break it. */
const INCREMENT_LOCK = 7_144_301_302n;
/** Beside the files, sealed as they are: it holds the settings, with the passwords in them. */
export const FACTS = `.facts${SEALED}`;
export type IncrementFacts = Omit<BackupSource, 'connection' | 'key'>;

type Server = Pick<
  Link,
  'installationId' | 'postgres' | 'systemId' | 'timeline' | 'segmentBytes' | 'database' | 'role'
>;

/**
 * @throws Refusal, Outage; then the chain is as it was. Refusal `backup_running` while another
 * process makes one.
 */
export async function makeIncrement(
  source: BackupSource,
  to: BackupPlace,
  wanted: Wanted,
): Promise<Made> {
  if (wanted.recipients.length === 0) {
    throw new Refusal('invalid', 'backup_recipient', [
      'no recipient is set, and nothing leaves unsealed: npx quittance backup key makes one',
    ]);
  }
  const connection = await openReplication(source.connection);
  try {
    await refuseUnable(connection);
    await refuseShared(to, source.installationId);
    const server = { ...(await readServer(connection)), installationId: source.installationId };
    const newest = await findNewestChain(to);
    const begun = wanted.base ?? (await findReason(connection, server, newest));
    const links: Link[] = [];
    if (begun !== undefined) links.push(await writeBase(connection, server, source, to, wanted));
    const before = links.at(-1) ?? newest?.last;
    const log = before && (await writeLog(connection, server, before, to, wanted));
    if (log !== undefined) links.push(log);
    const removed =
      begun === undefined ? [] : await removeOld(to, wanted.keep, source.installationId);
    return { links, begun, removed };
  } finally {
    await connection.close();
  }
}

/** What the server has to allow, each with what to do; and that nobody else is at it. */
async function refuseUnable(connection: ReplicationConnection): Promise<void> {
  const [found] = await connection.rows(`
    select pg_try_advisory_lock(${INCREMENT_LOCK})::text as free,
      pg_is_in_recovery()::text as standby, current_setting('wal_level') as level,
      (current_setting('max_replication_slots')::int > (select count(*) from pg_replication_slots
        where slot_name <> '${SLOT}'))::text as room`);
  if (found?.free !== 'true') {
    throw new Refusal('conflict', 'backup_running', 'another increment of it is made now');
  }
  const sentence =
    found.standby === 'true'
      ? 'this is a standby: name the server that writes in DATABASE_URL'
      : found.level === 'minimal'
        ? "its log holds too little: alter system set wal_level = 'replica', and start it again"
        : found.room !== 'true'
          ? 'it has no slot left: raise max_replication_slots, and start it again'
          : undefined;
  if (sentence !== undefined) throw new Refusal('conflict', 'replication', sentence);
}

async function readServer(
  connection: ReplicationConnection,
): Promise<Omit<Server, 'installationId'>> {
  const [system] = await connection.rows('IDENTIFY_SYSTEM');
  const [said] = await connection.rows(`
    select current_setting('server_version_num') as version, current_database() as database,
      current_user as role,
      (select setting from pg_settings where name = 'wal_segment_size') as segment`);
  return {
    postgres: Math.floor(Number(said?.version) / 10_000),
    systemId: system?.systemid ?? '',
    timeline: Number(system?.timeline),
    segmentBytes: Number(said?.segment),
    database: said?.database ?? '',
    role: said?.role ?? '',
  };
}

/** Why the last chain cannot go on; undefined when it can. */
async function findReason(
  connection: ReplicationConnection,
  server: Server,
  newest: NewestChain | undefined,
): Promise<string | undefined> {
  if (newest === undefined) return 'there is none yet';
  const { last, gap } = newest;
  if (gap !== undefined) return `of the last one ${gap}`;
  if (last.systemId !== server.systemId) return 'the last one is of another server';
  if (last.timeline !== server.timeline) return 'the server was restored since';
  const [slot] = await connection.rows(`
    select wal_status as status, restart_lsn <= '${lsn(BigInt(last.to))}'::pg_lsn as reaches
    from pg_replication_slots where slot_name = '${SLOT}'`);
  // `reaches` as a text of the protocol, or as the driver reads it.
  const reaches = String(slot?.reaches);
  if (slot === undefined || slot.status === 'lost' || !/^t(?:rue)?$/.test(reaches)) {
    return 'the server has not kept its log since the last one';
  }
  return undefined;
}

async function writeBase(
  connection: ReplicationConnection,
  server: Server,
  source: BackupSource,
  to: BackupPlace,
  wanted: Wanted,
): Promise<Link> {
  const { now, onProgress } = wanted;
  onProgress('reading all files of the database');
  const [spaces] = await connection.rows(`
    select count(*)::text as count from pg_tablespace
    where spcname not in ('pg_default', 'pg_global')`);
  if (spaces?.count !== '0') {
    const sentence = 'this server has table spaces of its own, which increments do not take along';
    throw new Refusal('conflict', 'replication', sentence);
  }
  await connection.rows(`
    select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name = '${SLOT}'`);
  await connection.rows(`select pg_create_physical_replication_slot('${SLOT}', true)`);
  const createdAt = now();
  const places: string[] = [];
  const { version, installationId, keyFile, settings } = source;
  const facts: IncrementFacts = { version, installationId, keyFile, settings };
  const second = createdAt.toString({ smallestUnit: 'second', roundingMode: 'floor' });
  const chain = `quittance-wal-${second.replaceAll(/[-:]/g, '')}`;
  const named = { chain, number: 0 };
  await store(to, fileOf(named, FACTS), only(JSON.stringify(facts)), wanted);
  const files = connection.baseBackup((place) => places.push(place));
  const sealed = await store(to, fileOf(named, SEALED), files, wanted);
  const [start, end] = places;
  if (start === undefined || end === undefined) throw new Error('a base backup tells two places');
  const segment = BigInt(server.segmentBytes);
  const from = `${(numberOf(start) / segment) * segment}`;
  return writeLink(to, {
    ...{ format: 1, ...named, createdAt: createdAt.toString(), ...server },
    ...{ from, to: from, consistentAt: `${numberOf(end)}`, previous: null, ...sealed },
  });
}

/** Undefined when nothing was written since. */
async function writeLog(
  connection: ReplicationConnection,
  server: Server,
  before: Link,
  to: BackupPlace,
  wanted: Wanted,
): Promise<Link | undefined> {
  const { now, onProgress } = wanted;
  const createdAt = now().toString();
  const [system] = await connection.rows('IDENTIFY_SYSTEM');
  const [from, end] = [BigInt(before.to), numberOf(system?.xlogpos ?? '0/0')];
  if (end <= from) return undefined;
  onProgress(`reading ${end - from} bytes of the log`);
  const named = { chain: before.chain, number: before.number + 1 };
  const log = connection.readLog({ slot: SLOT, timeline: server.timeline, from, to: end });
  const sealed = await store(to, fileOf(named, SEALED), log, wanted);
  const made = await writeLink(to, {
    ...{ format: 1, ...named, createdAt, ...server, from: `${from}`, to: `${end}` },
    ...{ consistentAt: null, previous: before.sha256, ...sealed },
  });
  await connection.rows(`select pg_replication_slot_advance('${SLOT}', '${lsn(end)}')`);
  return made;
}

async function store(
  to: BackupPlace,
  file: string,
  source: AsyncIterable<Uint8Array>,
  { recipients, signal }: Pick<Wanted, 'recipients' | 'signal'>,
): Promise<Pick<Link, 'bytes' | 'sha256'>> {
  const digest = createHash('sha256');
  let bytes = 0;
  const sealed = await sealArchive(source, recipients);
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of sealed) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      digest.update(chunk);
      yield chunk;
    }
  }
  await to.write(file, counted());
  return { bytes, sha256: digest.digest('hex') };
}

async function writeLink(to: BackupPlace, link: Link): Promise<Link> {
  await to.write(fileOf(link, SHOWN), only(`${JSON.stringify(link, undefined, 2)}\n`));
  return link;
}

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Each from its end: what an interruption leaves is a chain that ends earlier. */
async function removeOld(
  from: BackupPlace,
  keep: number,
  installationId: string,
): Promise<string[]> {
  const files = await from.list();
  const { names, isOld } = decideOldChains(await listChains(from), { keep, installationId });
  for (const file of files.filter(isOld).sort().reverse()) await from.remove(file);
  return names;
}

function numberOf(place: string): bigint {
  const [high = '', low = ''] = place.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

function lsn(place: bigint): string {
  return `${(place >> 32n).toString(16)}/${(place & 0xffffffffn).toString(16)}`;
}
