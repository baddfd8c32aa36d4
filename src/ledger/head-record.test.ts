import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type Statement, sql } from '#db/db.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { checkHash, checkHeads, type HeadPlaces, readHead, recordHead } from './head-record.ts';
import { accountsOf, type Entry } from './ledger-entry.ts';
import { ensureAccounts, postEntries } from './post-entry.ts';
import { findSealHead, sealEntries } from './seal-entries.ts';
import { verifyLedger } from './verify-ledger.ts';

const occurredAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
const clock = manualClock(occurredAt);
let database: TestDatabase;
let app: { readonly db: TestDatabase['db']; readonly clock: typeof clock };
let directory: string;
let places: HeadPlaces;

beforeEach(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  app = { db: database.db, clock };
  directory = mkdtempSync(join(tmpdir(), 'quittance-head-'));
  places = { file: join(directory, 'keys', 'head'), appendTo: join(directory, 'heads') };
  for (const cause of ['first', 'second', 'third']) await postAndSeal(cause);
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await database.close();
});

async function postAndSeal(causeKey: string): Promise<void> {
  const assetId = 'LTC:NATIVE';
  const entry: Entry = {
    ...{ causeKey, kind: 'arrived', environment: 'test', occurredAt },
    postings: [
      { account: { code: 'custody:LITECOIN' }, assetId, units: 5n },
      { account: { code: 'suspense:LITECOIN' }, assetId, units: -5n },
    ],
  };
  await ensureAccounts(app.db, accountsOf([entry]));
  await app.db.transact(async (tx) => postEntries(tx, [entry]));
  await sealEntries(app, { limit: 10 });
  await recordHead(app, places);
}

async function tamper(...acts: Statement[]): Promise<void> {
  await app.db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    for (const act of acts) await tx.query(act);
  });
}

const lastEntry = sql`(select max(id) from ledger_entry)`;
/** The last seal and the last entry cut off, balances recomputed: nothing inside shows it. */
const cut = [
  sql`delete from ledger_seal where number = (select max(number) from ledger_seal)`,
  sql`insert into ledger_balance_part as known (account_id, part, units)
    select account_id, 0, -units from ledger_posting where entry_id = ${lastEntry}
    on conflict (account_id, part) do update set units = known.units + excluded.units`,
  sql`delete from ledger_posting where entry_id = ${lastEntry}`,
  sql`delete from ledger_entry where id = ${lastEntry}`,
];

test('every head is written down, the last one in both places', async () => {
  const head = await findSealHead(app.db);
  assert.equal(head?.number, 3n);
  for (const file of [places.file, places.appendTo ?? '']) {
    const { writtenAt, ...written } = readHead(file) ?? {};
    assert.deepEqual(written, head);
    assert.equal(writtenAt, '2026-11-21T10:00:00Z');
  }
  assert.equal(readFileSync(places.file, 'utf8').split('\n').length, 2);
  assert.equal(readFileSync(places.appendTo ?? '', 'utf8').split('\n').length, 4);
  await recordHead(app, places);
  assert.equal(readFileSync(places.appendTo ?? '', 'utf8').split('\n').length, 4);
  assert.deepEqual(await checkHeads(app.db, places), []);
  assert.deepEqual(await checkHash(app.db, head?.hash ?? ''), []);
});

test('the last seal and the last entry cut off, with balances recomputed, are missed', async () => {
  const head = await findSealHead(app.db);
  await tamper(...cut);
  assert.deepEqual((await verifyLedger(app.db)).faults, []);
  const faults = await checkHeads(app.db, places);
  assert.equal(faults.length, 2);
  const sentence =
    'L11: the chain ends at seal 2, older than the head written at 2026-11-21T10:00:00Z, ' +
    `which was seal 3: was a backup restored, or were seals removed? (${places.file})`;
  assert.equal(faults[0], sentence);
  const [unknown] = await checkHash(app.db, head?.hash ?? '');
  assert.equal(unknown, `L11: no seal has the head ${head?.hash}`);
});

test('all seals removed are missed', async () => {
  await tamper(sql`delete from ledger_seal`);
  assert.deepEqual((await verifyLedger(app.db)).faults, []);
  assert.match((await checkHeads(app.db, places))[0] ?? '', /^L11: nothing is sealed, older than/);
});

test('a chain that was made anew over changed entries is told from the one written down', async () => {
  await tamper(sql`delete from ledger_seal`, sql`update ledger_entry set kind = 'bought'`);
  for (let seal = 0; seal < 3; seal += 1) await sealEntries(app, { limit: 1 });
  assert.deepEqual((await verifyLedger(app.db)).faults, []);
  assert.match(
    (await checkHeads(app.db, places))[0] ?? '',
    /^L11: seal 3 is not the one written at 2026-11-21T10:00:00Z: the chain was made anew/,
  );
});

test('an older database overwrites no record until a person accepts it', async () => {
  const before = readFileSync(places.file, 'utf8');
  await tamper(...cut);
  await assert.rejects(postAndSeal('fourth'), /the chain was made anew/);
  assert.equal(readFileSync(places.file, 'utf8'), before);
  await recordHead(app, places, { accept: true });
  assert.deepEqual(await checkHeads(app.db, places), []);
  assert.equal(readFileSync(places.appendTo ?? '', 'utf8').split('\n').length, 5);
  await postAndSeal('fifth');
});

test('a database from before the first seal is accepted, and what it seals then is written down', async () => {
  await tamper(sql`delete from ledger_seal`);
  await recordHead(app, places, { accept: true });
  assert.deepEqual(await checkHeads(app.db, places), []);
  await postAndSeal('fourth');
  assert.deepEqual(await checkHeads(app.db, places), []);
  assert.equal(readHead(places.file)?.number, 1n);
});

test('a half line of a crash does not count, what is no head at all is said', async () => {
  appendFileSync(places.appendTo ?? '', 'seal 4 ent');
  assert.equal(readHead(places.appendTo ?? '')?.number, 3n);
  await postAndSeal('fourth');
  assert.equal(readHead(places.appendTo ?? '')?.number, 4n);
  writeFileSync(places.file, 'something else\n');
  assert.throws(() => readHead(places.file), /holds no head of a ledger/);
});
