import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await openTestDatabase();
  // The history of the real migrations makes way for the ones made up here.
  await database.db.single(async (tx) => tx.send(sql`drop table schema_migration`));
  directory = await mkdtemp(join(tmpdir(), 'quittance-migrations-'));
  await write('0001-first.sql', 'create table one (id int); create table two (id int);');
});
afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});

function write(file: string, text: string): Promise<void> {
  return writeFile(join(directory, file), text);
}
function run() {
  return migrate(database.db, directory, { log: silentLog });
}
async function exists(table: string): Promise<boolean> {
  const find = sql`select to_regclass(${table}) is not null as exists`;
  const [row] = await database.db.query<{ exists: boolean }>(find);
  return row?.exists === true;
}
function isConflict(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Refusal && error.kind === 'conflict', String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  };
}

test('migrations are applied once, in order', async () => {
  await write('0002-second.sql', 'alter table two add column name text');
  assert.deepEqual(await run(), { applied: ['0001-first', '0002-second'], isNewer: false });
  assert.deepEqual((await run()).applied, []);
  await write('0003-third.sql', 'create table three (id int)');
  assert.deepEqual((await run()).applied, ['0003-third']);
  assert.ok(await exists('three'));
});

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  await write('0002-second.sql', 'create table three (id int); select 1/0;');
  await assert.rejects(run(), /division by zero/);
  assert.ok(await exists('one'));
  assert.equal(await exists('three'), false);
  await write('0002-second.sql', 'create table three (id int);');
  assert.deepEqual((await run()).applied, ['0002-second']);
});

test('of migrators that start together each migration is applied by one', async () => {
  await write('0002-second.sql', 'select pg_sleep(0.1); create table three (id int)');
  const runs = await Promise.all([run(), run(), run(), run()]);
  const applied = runs.flatMap((result) => result.applied).sort();
  assert.deepEqual(applied, ['0001-first', '0002-second']);
});

test('a program that a later one has overtaken starts again', async () => {
  await write('0002-second.sql', 'create table three (id int)');
  await run();
  await rm(join(directory, '0002-second.sql'));
  assert.deepEqual(await run(), { applied: [], isNewer: true });
});

test('a program that no longer works with the database is refused, and those it names are not', async () => {
  await write('0002-second.sql', 'alter table schema_migration add column works_from int');
  await write('0003-third.sql', 'alter table two add column name text');
  await write('0004-fourth.sql', '-- Nobody reads it.\n-- works from: 0003\ndrop table one;');
  await write('0005-fifth.sql', 'create table three (id int)');
  await run();
  await rm(join(directory, '0005-fifth.sql'));
  await rm(join(directory, '0004-fourth.sql'));
  assert.equal((await run()).isNewer, true);
  await rm(join(directory, '0003-third.sql'));
  await assert.rejects(
    run(),
    isConflict(/newer than this program.*0004-fourth.*know migration 0003/),
  );
});

test('nobody stands in line behind a migration that waits', async () => {
  await run();
  await write('0002-second.sql', 'alter table one add column name text');
  const { db } = database;
  const reads = sql`select 1 from one`;
  let migrated: Promise<unknown> | undefined;
  // As a backup does, which holds every table until it is made.
  await db.transact(async (tx) => {
    await tx.query(reads);
    migrated = run();
    const waits = sql`select 1 from pg_locks where not granted and relation = 'one'::regclass`;
    while ((await db.query(waits)).length === 0) await pause(10);
    await db.query(reads);
    assert.deepEqual(await db.query(sql`select 1 from schema_migration where number = 2`), []);
  });
  assert.deepEqual(await migrated, { applied: ['0002-second'], isNewer: false });
});

test('a migration changed after it was applied is refused', async () => {
  await run();
  await write('0001-first.sql', 'create table one (id bigint);');
  await write('0002-second.sql', 'create table three (id int)');
  await assert.rejects(run(), isConflict(/0001-first was changed/));
  assert.equal(await exists('three'), false);
});

test('a checkout with other line ends is the same migration', async () => {
  await write('0001-first.sql', 'create table one (id int);\ncreate table two (id int);\n');
  await run();
  await write('0001-first.sql', 'create table one (id int);\r\ncreate table two (id int);\r\n');
  assert.deepEqual((await run()).applied, []);
});

test('a gap in the database is refused', async () => {
  await write('0002-second.sql', 'create table three (id int)');
  await run();
  await database.db.single(async (tx) =>
    tx.send(sql`delete from schema_migration where number = 1`),
  );
  await assert.rejects(run(), isConflict(/migration 1 is missing/));
});

test('a gap among the files is our bug', async () => {
  await write('0003-third.sql', 'select 1');
  await assert.rejects(run(), /should have number 2/);
});
