import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { forgetRates } from './forget-rates.ts';

const start = Temporal.Instant.from('2026-01-01T00:00:00Z');
const clock = manualClock('2026-04-01T00:00:00Z');
let database: TestDatabase;

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
});
after(() => database.close());

async function run(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await database.db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.query(statement);
  });
}

async function idsLeft(): Promise<bigint[]> {
  const rows = await database.db.query<{ id: bigint }>(sql`
    select id from rate where environment = 'live' order by id`);
  return rows.map(({ id }) => id);
}

/** One in ten minutes: 12,000 are 83 days, most of them older than is kept. */
const rates = sql`insert into rate (environment, code, usd_price, spread_parts_per_million,
    evidence, observed_at)
  select 'live', 'BTC', 60000, 0, '{}', ${start}::timestamptz + n * interval '10 minutes'
  from generate_series(1, 12000) n`;

test('old rates go in batches, unless a lock, a swap or a credit names them', async () => {
  await run(
    rates,
    sql`insert into rate (environment, code, usd_price, spread_parts_per_million, evidence,
        observed_at) values ('test', 'BTC', 1, 0, '{}', ${start})`,
    sql`insert into commitment (checkout_id, network, asset_id, instruction_id, payment_units,
        settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at, expires_at)
      values ('c00000000001', 'LITECOIN', 'LTC:NATIVE', 'i00000000001', 1, 'LTC:NATIVE', 1, 1, 0,
        '{"rateIds":["6","7"]}', ${start}::timestamptz + interval '70 minutes',
        ${start}::timestamptz + interval '130 minutes')`,
    sql`insert into swap (id, merchant_id, environment, state, source_asset_id, source_units,
        target_asset_id, target_units, fee_units, rates, created_at, expires_at)
      values ('s00000000001', 'm00000000001', 'live', 'QUOTED', 'A', 1, 'B', 1, 0,
        '{"deep":{"rateIds":["5001"]}}',
        ${start}::timestamptz + interval '50011 minutes',
        ${start}::timestamptz + interval '50020 minutes')`,
    sql`insert into receipt_credit (receipt_id, generation, checkout_id, network, asset_id, units,
        locked_units, rate_basis, settlement_asset_id, settlement_units, net_units, fee_units,
        evidence, account, credited_at)
      values (1, 1, 'c00000000001', 'LITECOIN', 'LTC:NATIVE', 1, 0, 'CURRENT', 'EUR:FIAT', 1, 1, 0,
        '{"requiredNow": {"requiredRateIds": [ "5002" ]}}', 'available',
        ${start}::timestamptz + interval '50021 minutes')`,
  );
  const app = { db: database.db, clock };
  const first = await forgetRates(app, { keptDays: 30, after: 0n });
  assert.deepEqual(first, { forgotten: 4998, after: 5000n });
  const second = await forgetRates(app, { keptDays: 30, after: 5000n });
  assert.equal(second.after, undefined);
  const left = await idsLeft();
  assert.deepEqual(left.slice(0, 4), [6n, 7n, 5001n, 5002n]);
  const [oldest] = await database.db.query<{ at: Temporal.Instant }>(sql`
    select observed_at as at from rate where id = ${left[4] ?? 0n}`);
  assert.ok(oldest && Temporal.Instant.compare(oldest.at, '2026-03-02T00:00:00Z') >= 0);
  assert.equal(left.length, 12_000 - first.forgotten - second.forgotten);
  const again = await forgetRates(app, { keptDays: 30, after: 0n });
  assert.deepEqual(again, { forgotten: 0, after: undefined });
  const test = await database.db.query(sql`select 1 from rate where environment = 'test'`);
  assert.equal(test.length, 1);
});

test('rates stay that a past window guaranteed, and that any entry of the ledger names', async () => {
  const at = (minutes: number) => sql`${start}::timestamptz + ${minutes} * interval '1 minute'`;
  await run(
    sql`delete from rate where environment = 'live'`,
    sql`insert into rate (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
      select 'live', 'BTC', 60000, 0, '{}', ${start}::timestamptz + n * interval '10 minutes'
      from generate_series(1, 40) n`,
  );
  const ids = await idsLeft();
  const [released, past, booked] = [ids[10] ?? 0n, ids[20] ?? 0n, ids[30] ?? 0n];
  await run(
    // Of money that was credited long before: it was pending, and is worth what it is when released.
    sql`insert into ledger_entry (cause_key, kind, environment, merchant_id, evidence, occurred_at)
      values ('release:2:1', 'release', 'live', 'm00000000001',
        ${`{"current":{"rateIds":["${released}"]}}`}, ${at(111)})`,
    sql`insert into past_window (checkout_id, network, asset_id, instruction_id, payment_units,
        settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at, expires_at)
      values ('c00000000002', 'LITECOIN', 'LTC:NATIVE', 'i00000000002', 1, 'LTC:NATIVE', 1, 1, 0,
        ${`{"rateIds":["${past}"]}`}, ${at(215)}, ${at(275)})`,
    sql`insert into ledger_entry (cause_key, kind, environment, merchant_id, evidence, occurred_at)
      values ('receipt:3:1', 'receipt', 'live', 'm00000000001',
        ${`{"current":{"rateIds":["${booked}"]}}`}, ${at(312)})`,
  );
  await forgetRates({ db: database.db, clock }, { keptDays: 30, after: 0n });
  // The first of the hour of each entry stays too: reports say by it what was worth how much.
  const [ofFirst, ofSecond] = [ids[5] ?? 0n, ids[29] ?? 0n];
  assert.deepEqual(await idsLeft(), [ofFirst, released, past, ofSecond, booked]);
});
