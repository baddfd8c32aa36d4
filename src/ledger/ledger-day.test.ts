import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Db, sql } from '#db/db.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { followLedgerDays } from './ledger-day.ts';
import { verifyDays } from './verify-days.ts';

const NOON = Temporal.Instant.from('2026-11-21T12:00:00Z');
const DAY = 24 * 60 * 60;
const clock = systemClock;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;
let merchants = 0;
let funds = 0;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

async function newMerchant(): Promise<string> {
  merchants += 1;
  const id = `merchant${`${merchants}`.padStart(4, '0')}`;
  await db.single((tx) =>
    tx.query(sql`insert into merchant (id, name, sealed_data_key, created_at)
      values (${id}, 'Shop', ${new Uint8Array(1)}, ${NOON})`),
  );
  return id;
}

/** Seconds after noon, and units: below zero they leave. */
async function post(merchantId: string, ...moves: (readonly [number, bigint])[]): Promise<void> {
  for (const [seconds, units] of moves) {
    funds += 1;
    const occurredAt = NOON.add({ seconds });
    const fund = { merchantId, cause: `${funds}`, assetId: 'LTC:NATIVE', units, occurredAt };
    await fundMerchant(db, fund);
  }
}

async function followAll(): Promise<void> {
  while ((await followLedgerDays({ db, clock })) === 'busy');
}

async function daysOf(merchantId: string): Promise<string[]> {
  const rows = await db.query<{ day: Temporal.Instant; debited: bigint; credited: bigint }>(sql`
    select day, debited_units as debited, credited_units as credited from ledger_day d
    join ledger_account a on a.id = d.account_id where a.merchant_id = ${merchantId} order by day`);
  return rows.map(({ day, debited, credited }) => `${day} -${debited} +${credited}`);
}

async function faultsNow(said: string[] = []): Promise<string[]> {
  const faults: string[] = [];
  await verifyDays(
    db,
    (fault) => faults.push(fault),
    (step) => said.push(step),
  );
  return faults;
}

test('debits and credits of an account are summed by the day on which they occurred', async () => {
  const merchantId = await newMerchant();
  await post(merchantId, [0, 100n], [60, 20n], [DAY, 7n]);
  await followAll();
  await post(merchantId, [120, -30n], [DAY / 2, 1n], [DAY / 2 - 1, 2n]);
  await followAll();
  assert.deepEqual(await daysOf(merchantId), [
    '2026-11-21T00:00:00Z -30 +122',
    '2026-11-22T00:00:00Z -0 +8',
  ]);
  assert.deepEqual(await faultsNow(), []);
});

test('accounts of the house have no days', async () => {
  await post(await newMerchant(), [0, 100n]);
  await followAll();
  const rows = await db.query(sql`select 1 from ledger_day d join ledger_account a
    on a.id = d.account_id where a.merchant_id is null`);
  assert.equal(rows.length, 0);
});

test('each posting is summed once, however many processes do it', async () => {
  const merchantId = await newMerchant();
  for (let round = 0; round < 5; round += 1) {
    await post(merchantId, [0, 3n], [0, 4n]);
    await Promise.all(Array.from({ length: 4 }, () => followLedgerDays({ db, clock })));
  }
  await followAll();
  assert.deepEqual(await daysOf(merchantId), ['2026-11-21T00:00:00Z -0 +35']);
});

test('what is being posted below the top is waited for', async () => {
  const merchantId = await newMerchant();
  await post(merchantId, [0, 1n]);
  await followAll();
  let followed: Promise<unknown> | undefined;
  await db.transact(async (tx) => {
    // Has drawn its number; the next one is visible before it.
    await tx.query(sql`select nextval(pg_get_serial_sequence('ledger_entry', 'id'))`);
    await tx.query(sql`lock table ledger_entry in row exclusive mode`);
    await post(merchantId, [0, 10n]);
    followed = followLedgerDays({ db, clock });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await daysOf(merchantId), ['2026-11-21T00:00:00Z -0 +1']);
  });
  await followed;
  await followAll();
  assert.deepEqual(await daysOf(merchantId), ['2026-11-21T00:00:00Z -0 +11']);
});

test('nothing new: nothing is written', async () => {
  await followAll();
  const written = async () => {
    const [row] = await db.query<{ xmin: string }>(sql`
      select xmin::text as xmin from ledger_day_follow`);
    return row?.xmin;
  };
  const first = await written();
  assert.equal(await followLedgerDays({ db, clock }), 'idle');
  assert.equal(await written(), first);
});

test('the proof finds a day that was changed, summed twice or lost', async () => {
  const merchantId = await newMerchant();
  await post(merchantId, [0, 100n], [DAY, 50n]);
  await followAll();
  await post(merchantId, [2 * DAY, 25n]);
  assert.deepEqual(await faultsNow(), [], 'what came after the sums is added to them');
  const some = sql`account_id = (select id from ledger_account where merchant_id = ${merchantId})
    and day = '2026-11-22T00:00:00Z'`;
  const tamper = async (statement: ReturnType<typeof sql>) =>
    db.single((tx) => tx.query(statement));
  await tamper(sql`update ledger_day set credited_units = credited_units + 1 where ${some}`);
  const [fault] = await faultsNow();
  const said =
    fault?.replace(/account \d+/, 'account N').replace(/merchant [a-z0-9]{8,}/, 'M') ?? '';
  assert.equal(
    said,
    'L13: account N (test merchant:available of M in LTC:NATIVE) has a balance of -175 units, ' +
      'its days and what came after them sum to -176',
  );
  await tamper(sql`update ledger_day set credited_units = 2 * (credited_units - 1) where ${some}`);
  assert.match((await faultsNow())[0] ?? '', /sum to -225$/);
  await tamper(sql`delete from ledger_day where ${some}`);
  assert.match((await faultsNow())[0] ?? '', /sum to -125$/);
  await tamper(sql`insert into ledger_day select id, '2026-11-22T00:00:00Z', 0, 50
    from ledger_account where merchant_id = ${merchantId}`);
  assert.deepEqual(await faultsNow(), []);
});

test('the proof says that sums which are far behind are not compared', async () => {
  await followAll();
  await post(await newMerchant(), [0, 1n]);
  await db.single((tx) => tx.query(sql`update ledger_day_follow set entry_id = entry_id - 20000`));
  const said: string[] = [];
  assert.deepEqual(await faultsNow(said), []);
  assert.match(said.join(), /^the sums by day are 20001 entries behind, and are not compared$/);
  await db.single((tx) => tx.query(sql`update ledger_day_follow set entry_id = entry_id + 20000`));
  assert.deepEqual(await faultsNow(), []);
});
