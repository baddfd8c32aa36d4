// What was told is proved from the upgrade on that seals it, and in a restored backup: neither is
// taken for somebody's doing.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { digestEvents, verifyEvents } from '#event/prove-events.ts';
import { checkHeads, recordHead } from '#ledger/head-record.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { migrate } from '#postgres/migrate.ts';
import { newMerchant, tellEvent } from '#test/support/event-fixture.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');
/** The last one before events were sealed. */
const BEFORE = 56;

const random = seededRandom(23);
const clock = manualClock('2026-11-22T10:00:00Z');
const [shop, backup] = [`shop_${newId(random)}`, `backup_${newId(random)}`];
let directory = '';
let admin: TestDatabase;
let db: Db;
let owner: Owner;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quittance-sealed-'));
  admin = await openTestDatabase({ unsafeFast: true });
  await admin.db.query(rawStatement(`create database ${shop}`));
  db = openOther(shop);
});
after(async () => {
  await db.close();
  // A server for this file alone is gone by now, with all that was in it.
  if (process.env.QUITTANCE_TEST_DATABASE_UNSAFE === undefined) return;
  const postgres = openOther('postgres');
  for (const name of [shop, backup]) {
    await postgres.query(rawStatement(`drop database if exists ${name} with (force)`));
  }
  await postgres.close();
});
after(() => rm(directory, { recursive: true }));

function openOther(database: string): Db {
  return openDb({ ...admin.connection, database, log: silentLog });
}

async function sealAll(of: Db): Promise<void> {
  await digestEvents({ db: of, clock }, { limit: 100 });
  await sealEntries({ db: of, clock }, { limit: 100 });
}

async function prove(of: Db): Promise<{ sealed: bigint; kept: bigint }> {
  const { sealed, kept, faults } = await verifyEvents({ db: of, clock });
  assert.deepEqual([...(await verifyLedger(of)).faults, ...faults], []);
  return { sealed, kept };
}

const LATER = [
  ['event', 'trace_parent'],
  ['api_key', 'api_version'],
  ['webhook_endpoint', 'api_version'],
  ['webhook_delivery', 'api_version'],
] as const;

test('events of before the upgrade are numbered, and sealed as they are found', async () => {
  const old = join(directory, 'migrations');
  for (const name of (await readdir(MIGRATIONS)).toSorted().slice(0, BEFORE)) {
    await cp(join(MIGRATIONS, name), join(old, name));
  }
  await migrate(db, old, { log: silentLog });
  owner = await newMerchant(db, random);
  // The program of today knows columns that came later. Nothing stands in them here.
  for (const [table, column] of LATER) {
    await db.query(rawStatement(`alter table ${table} add column ${column} text`));
  }
  const told: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    told.push(await tellEvent({ db, clock }, random, owner, { url: 'https://shop.test/' }));
  }
  for (const [table, column] of LATER) {
    await db.query(rawStatement(`alter table ${table} drop column ${column}`));
  }
  const { applied } = await migrate(db, MIGRATIONS, { log: silentLog });
  assert.ok(applied.some((name) => name.endsWith('-event-digest')));
  assert.deepEqual(await prove(db), { sealed: 0n, kept: 0n });
  await sealAll(db);
  assert.deepEqual(await prove(db), { sealed: 5n, kept: 5n });
  const digested = await db.query<{ id: string }>(sql`select event_id as id from event_digest`);
  assert.deepEqual(digested.map(({ id }) => id).toSorted(), told.toSorted());
});

test('a restored backup proves what it holds, and what is told after it', async () => {
  const places = { file: join(directory, 'ledger-head'), appendTo: undefined };
  await db.close();
  await admin.db.query(rawStatement(`create database ${backup} template ${shop}`));
  db = openOther(shop);
  await tellEvent({ db, clock }, random, owner, {});
  await sealAll(db);
  await recordHead({ db, clock }, places);
  assert.deepEqual(await prove(db), { sealed: 6n, kept: 6n });

  const restored = openOther(backup);
  try {
    assert.deepEqual(await prove(restored), { sealed: 5n, kept: 5n });
    assert.match((await checkHeads(restored, places)).join(), /was a backup restored/);
    await recordHead({ db: restored, clock }, places, { accept: true });
    for (let count = 0; count < 2; count += 1) {
      await tellEvent({ db: restored, clock }, random, owner, {});
    }
    await sealAll(restored);
    assert.deepEqual(await prove(restored), { sealed: 7n, kept: 7n });
    assert.deepEqual(await checkHeads(restored, places), []);
  } finally {
    await restored.close();
  }
});
