// Reads that a standby answers: a real one, a copy of the cluster that follows it.
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { jsonLog, silentLog } from '#base/log.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { waitUntil } from '#test/support/shop.ts';
import { toUrl } from '#test/support/test-database.ts';
import { openReplica, type Replica } from './open-replica.ts';

const LOOK_MS = 2_000;
const clock = manualClock('2026-03-01T00:00:00Z');
const said: string[] = [];
const log = jsonLog((line) => said.push(line), 'info', clock);
const root = makeDirectoryInMemory();
let primaryServer: EmbeddedDatabase;
let standbyServer: EmbeddedDatabase;
let primary: Db;
let standby: Db;
let reads: Replica;

before(async () => {
  const directory = join(root, 'primary');
  const first = await startEmbeddedDatabase({ directory, log: silentLog });
  await first.close();
  const copy = join(root, 'standby');
  mkdirSync(copy, { mode: 0o711 });
  for (const name of ['cluster', 'password']) {
    cpSync(join(directory, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  primaryServer = await startEmbeddedDatabase({ directory, log: silentLog });
  const { host, port, user, password } = primaryServer.connection;
  const from = `host=${host} port=${port} user=${user} password=${password}`;
  appendFileSync(
    join(copy, 'cluster', 'postgresql.auto.conf'),
    `primary_conninfo = '${from}'\nwal_retrieve_retry_interval = '200ms'\n`,
  );
  writeFileSync(join(copy, 'cluster', 'standby.signal'), '');
  standbyServer = await startEmbeddedDatabase({ directory: copy, log: silentLog });
  primary = openDb({ ...primaryServer.connection, poolSize: 2, log: silentLog });
  standby = openDb({ ...standbyServer.connection, poolSize: 1, log: silentLog });
  reads = openReplica({ clock, log }, primary, toUrl(standbyServer.connection));
  await write('create table noted (number integer)');
});
after(async () => {
  await reads?.close();
  await primary?.close();
  await standbyServer?.close();
  await primaryServer?.close();
  rmSync(root, { recursive: true, force: true });
});

const write = (text: string) =>
  primary.single(async (tx) => tx.send({ ...sql`select 1`, text, values: [] }));

/** What it answers is from, and the highest number that it has. */
async function ask(): Promise<readonly [from: 'standby' | 'primary', number: number | null]> {
  const [row] = await reads.query<{ isStandby: boolean; number: number | null }>(sql`
    select pg_is_in_recovery() as "isStandby", (select max(number) from noted) as number`);
  return [row?.isStandby === true ? 'standby' : 'primary', row?.number ?? null];
}

const untilStandbyHas = (number: number) =>
  waitUntil(`the standby to have ${number}`, async () => {
    const rows = await standby
      .query<{ number: number | null }>(sql`select max(number) as number from noted`)
      .catch(() => []);
    return rows[0]?.number === number;
  });

test('what the standby has is read from it', async () => {
  await write('insert into noted values (1)');
  await untilStandbyHas(1);
  await clock.advance(LOOK_MS);
  assert.deepEqual(await ask(), ['standby', 1]);
});

test('a standby that stays behind is not asked, until it has caught up', async () => {
  await standby.query(sql`select pg_wal_replay_pause()`);
  await waitUntil('it to stand still', async () => {
    const [row] = await standby.query<{ state: string }>(sql`
      select pg_get_wal_replay_pause_state() as state`);
    return row?.state === 'paused';
  });
  await write('insert into noted values (2)');
  // The first look asks for what was there at the one before.
  await clock.advance(LOOK_MS);
  assert.deepEqual(await ask(), ['standby', 1]);
  for (let look = 0; look < 3; look += 1) {
    await clock.advance(LOOK_MS);
    assert.deepEqual(await ask(), ['primary', 2]);
  }
  assert.equal(said.filter((line) => line.includes('lags')).length, 1, 'it is said once');
  await standby.query(sql`select pg_wal_replay_resume()`);
  await untilStandbyHas(2);
  await clock.advance(LOOK_MS);
  assert.deepEqual(await ask(), ['standby', 2]);
});

test('what the standby refuses is asked of the database itself', async () => {
  await clock.advance(LOOK_MS);
  const [row] = await reads.query<{ lsn: string }>(sql`select pg_current_wal_lsn()::text as lsn`);
  assert.match(row?.lsn ?? '', /^[0-9A-F]+\/[0-9A-F]+$/, 'a standby has no such place');
});

test('a database that is no standby is not asked in its place', async () => {
  const other = openReplica({ clock, log }, primary, toUrl(primaryServer.connection));
  const [row] = await other.query<{ isStandby: boolean }>(sql`
    select pg_is_in_recovery() as "isStandby"`);
  assert.equal(row?.isStandby, false);
  await other.close();
});

test('while the standby is away the database itself answers', async () => {
  await standby.close();
  await standbyServer.close();
  await clock.advance(LOOK_MS);
  assert.deepEqual(await ask(), ['primary', 2]);
});
