// A backup is made beside writers, restored into an empty database, and refused where it is not whole.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { readMigrations } from '#postgres/migrate.ts';
import { waitUntil } from '#test/support/shop.ts';
import {
  newEmptyDatabase,
  openTestDatabase,
  type TestDatabase,
} from '#test/support/test-database.ts';
import { findBackup, listBackups, openPlace } from './find-backup.ts';
import { type BackupSource, makeBackup, removeOld } from './make-backup.ts';
import type { ShownManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { newIdentity } from './seal-archive.ts';

const MIGRATIONS = await readMigrations(join(import.meta.dirname, '..', '..', 'migrations'));
/** More than one file of an archive, with everything that a copy has to write otherwise. */
const ROWS = 2_000;
const HOSTILE = 'tab\tline\nback\\slash \\. quote"\' \u{1f4b8} \u0001';

let database: TestDatabase;
let folder: string;
let made: ShownManifest;
let keys: Awaited<ReturnType<typeof newIdentity>>;
const place = () => openPlace({ clock: systemClock, s3: undefined }, folder);

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  folder = await mkdtemp(join(tmpdir(), 'quittance-backups-'));
  keys = await newIdentity();
  await fill();
  made = await backUp();
});
after(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  const { db } = database;
  await db.single(async (tx) =>
    tx.send(sql`
      insert into rate (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
      select 'test', 'B' || n, 1.5, 0, ${HOSTILE}, now() from generate_series(1, ${ROWS}) n`),
  );
  // A table in partitions: each row is there once.
  await db.single(async (tx) =>
    tx.send(sql`
      insert into api_request (id, merchant_id, environment, api_key, scope, method, path, status,
        duration_ms, address, request_body, request_bytes, answer_bytes, at)
      select gen_random_uuid()::text, 'm', 'test', 'k', 'checkout', 'GET', '/', 200, 1, '::1', ${HOSTILE}, 0, 0,
        now() - n * interval '6 hours' from generate_series(1, 30) n`),
  );
}

function source(): BackupSource {
  return {
    connection: database.connection,
    version: '1.2.3',
    installationId: 'here',
    keyFile: { path: '/keys/quittance.key', check: '00' },
    settings: 'PORT=1\n',
    key: undefined,
  };
}

function backUp(): Promise<ShownManifest> {
  const options = { recipients: [keys.recipient], onProgress: () => undefined };
  return makeBackup(source(), place(), options);
}

type Changes = {
  readonly sealed?: Uint8Array;
  readonly sha256?: string;
  readonly identity?: string;
  readonly migrations?: typeof MIGRATIONS;
};

/** What is in the database afterwards: all rows of all tables as text, and sequences. */
async function restoreInto(
  connection: TestDatabase['connection'],
  { sealed, sha256, identity = keys.identity, migrations = MIGRATIONS }: Changes = {},
) {
  return restoreBackup(
    {
      sealed: sealed === undefined ? await place().read(`${made.name}.age`) : one(sealed),
      sha256,
      identities: [identity],
    },
    { connection, migrations, onProgress: () => undefined, onManifest: () => undefined },
  );
}

async function restoreElsewhere() {
  const empty = await newEmptyDatabase();
  try {
    return await restoreInto(empty.connection, made);
  } finally {
    await empty.close();
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function digests(connection: TestDatabase['connection']): Promise<string[]> {
  const db = openDb({ ...connection, poolSize: 1, log: silentLog });
  try {
    const tables = await db.query<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`);
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await db.query<{ digest: string }>(
        rawStatement(`
          select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
          from "${name}" t`),
      );
      found.push(`${name} ${row?.digest}`);
    }
    const shape = await db.query<{ line: string }>(sql`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
      from pg_constraint where connamespace = current_schema()::regnamespace
      union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text
      from pg_trigger where not tgisinternal
      union all select schemaname || sequencename || ' ' || coalesce(last_value, 0)
      from pg_sequences order by 1`);
    return [...found, ...shape.map(({ line }) => line)];
  } finally {
    await db.close();
  }
}

test('every row, constraint, trigger and sequence is what it was', async () => {
  const empty = await newEmptyDatabase();
  try {
    const { rows, manifest, files } = await restoreInto(empty.connection, made);
    assert.equal(`${rows}`, made.rows);
    assert.ok(rows > ROWS);
    assert.deepEqual(await digests(empty.connection), await digests(database.connection));
    assert.equal(manifest.migrations.length, MIGRATIONS.length);
    assert.equal(Buffer.from(files.get('quittance.conf') ?? []).toString(), 'PORT=1\n');
    assert.equal(files.has('quittance.key'), false);
    await assert.rejects(restoreInto(empty.connection), isRefusal('place_not_empty', /not empty/));
  } finally {
    await empty.close();
  }
});

test('what is not whole, not ours or not for us leaves the place empty', async () => {
  const empty = await newEmptyDatabase();
  const sealed = await readFile(join(folder, `${made.name}.age`));
  const other = await newIdentity();
  const [first] = MIGRATIONS;
  assert.ok(first !== undefined);
  const cases: readonly (readonly [Changes, string, RegExp])[] = [
    [{ sealed: sealed.subarray(0, -1) }, 'backup_damaged', /damaged/],
    [{ sealed: Buffer.from('no backup') }, 'backup_damaged', /does not open/],
    [{ sha256: '0'.repeat(64) }, 'backup_damaged', /checksum/],
    [{ identity: other.identity }, 'backup_identity', /not made for this identity/],
    [{ identity: 'AGE-SECRET-KEY-1' }, 'backup_identity', /^that is no identity/],
    [{ migrations: MIGRATIONS.slice(0, 3) }, 'backup_version', /newer than this program.*1\.2\.3/],
    [{ migrations: [{ ...first, checksum: 'x' }] }, 'backup_version', /is not the 0001-/],
  ];
  try {
    for (const [changes, code, message] of cases) {
      await assert.rejects(restoreInto(empty.connection, changes), isRefusal(code, message));
      assert.deepEqual(await digests(empty.connection), [], code);
    }
  } finally {
    await empty.close();
  }
});

test('a backup is of one moment, and says of which', async () => {
  const { db } = database;
  const steps: string[] = [];
  const before = await db.query(sql`select 1 from rate`);
  let writing: Promise<unknown> | undefined;
  const onProgress = (step: string) => {
    steps.push(step);
    // Somebody writes while it is read: after the moment, so it is not in it.
    writing ??= fill();
  };
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const later = await makeBackup(source(), place(), { recipients: [keys.recipient], onProgress });
  await writing;
  const after = await db.query(sql`select 1 from rate`);
  assert.ok(after.length > before.length);
  assert.equal(later.rows, made.rows);
  assert.match(steps.join('\n'), /^\d+ %: /m);
  assert.ok(Temporal.Instant.compare(later.createdAt, made.createdAt) > 0);
  const { backups, unfinished } = await listBackups(place());
  assert.deepEqual(
    backups.map(({ name }) => name),
    [made.name, later.name],
  );
  assert.deepEqual(unfinished, []);
  assert.equal((await findBackup(place(), undefined)).name, later.name);
  assert.deepEqual(await removeOld(place(), { days: 1, weeks: 1, months: 1 }, 'here'), [made.name]);
  assert.deepEqual((await readdir(folder)).sort(), [`${later.name}.age`, `${later.name}.json`]);
  made = later;
});

test('what could not be made leaves nothing, and says why', async () => {
  const options = { recipients: [keys.recipient], onProgress: () => undefined };
  const files = await readdir(folder);
  await assert.rejects(
    makeBackup(source(), place(), { ...options, recipients: [] }),
    isRefusal('backup_recipient', /no recipient is set/),
  );
  await assert.rejects(
    makeBackup(source(), place(), { ...options, recipients: ['age1nobody'] }),
    isRefusal('backup_recipient', /"age1nobody" is no recipient/),
  );
  const stopped = { ...options, signal: AbortSignal.abort(new Error('stopped')) };
  await assert.rejects(makeBackup(source(), place(), stopped), /stopped/);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const link = join(folder, 'link');
  await symlink(join(folder, 'nowhere'), link);
  for (const [path, sentence] of [
    [join(file, 'below'), /below cannot be read \(ENOTDIR\)/],
    [link, /link cannot be written \(EEXIST\)/],
  ] as const) {
    const bad = openPlace({ clock: systemClock, s3: undefined }, path);
    let refused: unknown;
    // The server ends the connection of what was stopped a moment later.
    await waitUntil('the stopped backup to be over', async () => {
      refused = await makeBackup(source(), bad, options).catch((error: unknown) => error);
      return !(refused instanceof Refusal && refused.code === 'backup_running');
    });
    assert.ok(isRefusal('backup_place', sentence)(refused));
  }
  await rm(file);
  await rm(link);
  assert.deepEqual(await readdir(folder), files);
});

test('of two in the same second each has a name of its own', async () => {
  const files = await readdir(folder);
  const two = [await backUp(), await backUp()];
  assert.equal(new Set([...two, made].map(({ name }) => name)).size, 3);
  for (const { name } of two) {
    assert.deepEqual((await findBackup(place(), name)).name, name);
    await place().remove(`${name}.age`);
    await place().remove(`${name}.json`);
  }
  assert.deepEqual(await readdir(folder), files);
});

test('a backup whose manifest finds no room is none, and leaves nothing', async () => {
  const options = { recipients: [keys.recipient], onProgress: () => undefined };
  const files = await readdir(folder);
  const { write, remove } = place();
  const full = {
    remove,
    async write(file: string, sealed: AsyncIterable<Uint8Array>) {
      if (file.endsWith('.json')) throw new Error('no space left');
      await write(file, sealed);
    },
  };
  await assert.rejects(makeBackup(source(), full, options), /no space left/);
  assert.deepEqual(await readdir(folder), files);
});

test('a full disk is named, and the backups that are there stay', async () => {
  // What is written there finds no space left.
  if (!existsSync('/dev/full')) return;
  const files = await readdir(folder);
  const part = join(folder, 'quittance-20990101T000000Z.age.part');
  await symlink('/dev/full', part);
  const written = place().write('quittance-20990101T000000Z.age', one(Buffer.alloc(100_000)));
  await assert.rejects(written, isRefusal('backup_place', /has no space left \(ENOSPC\)/));
  assert.deepEqual(await readdir(folder), files);
  const { rows } = await restoreElsewhere();
  assert.equal(`${rows}`, made.rows);
});

test('what was begun and never finished goes after a week, and what is new stays', async () => {
  const old = ['quittance-20200101T000000Z.age.part', 'quittance-20200102T000000Z.age'];
  const others = ['quittance-20990101T000000Z.age.part', 'notes.age.part'];
  for (const file of [...old, ...others]) await writeFile(join(folder, file), 'x');
  assert.deepEqual(await removeOld(place(), { days: 9, weeks: 9, months: 9 }, 'here'), []);
  const left = await readdir(folder);
  for (const file of old) assert.ok(!left.includes(file), file);
  for (const file of [...others, `${made.name}.age`]) assert.ok(left.includes(file), file);
  for (const file of others) await rm(join(folder, file));
});

test('a place is of one installation: another one makes no backup there, and removes none', async () => {
  const options = { recipients: [keys.recipient], onProgress: () => undefined };
  const files = await readdir(folder);
  const there = { ...source(), installationId: 'there' };
  const sentence = new RegExp(
    `${folder} holds backups of another installation \\(quittance-\\S+\\.json is of here, this is ` +
      'there\\): set BACKUP_TO to a place of its own, or move those away',
  );
  await assert.rejects(makeBackup(there, place(), options), isRefusal('backup_place', sentence));
  const policy = { days: 0, weeks: 0, months: 0 };
  assert.deepEqual(await removeOld(place(), policy, 'there'), []);
  assert.deepEqual(await readdir(folder), files);
});

test('one backup at a time', async () => {
  const options = { recipients: [keys.recipient], onProgress: () => undefined };
  let other: unknown;
  const slow = {
    async write(file: string, sealed: AsyncIterable<Uint8Array>) {
      if (other === undefined) other = await backUp().catch((error: unknown) => error);
      await place().write(file, sealed);
    },
  };
  await makeBackup(source(), slow, options);
  isRefusal('backup_running', /another backup/)(other);
});

function isRefusal(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}
