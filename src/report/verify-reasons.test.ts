// The proof of the reasons looks at a range of rows at a time: what one statement reads must not
// grow with the ledger, or all of it takes the square of its size.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Db, Statement } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { explain } from '#test/support/explain.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { ACTS_WITHOUT_ENTRY, eventsWithoutAct } from './acts-without-entry.ts';
import { completedWithoutCredit, receiptsWithoutEntry } from './receipts-without-entry.ts';
import { entriesWithoutReason, verifyReasons } from './verify-reasons.ts';

const LARGE = ['checkout', 'receipt', 'receipt_credit', 'ledger_entry', 'ledger_posting', 'event'];
const ROWS = 10_000;
const BATCH = 100;
/** Rows of a batch, some looked up for each, and never what grows with the table. */
const MOST_READ = 5 * BATCH;

let db: Db;
before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
  await db.transact(async (tx) => {
    await tx.query(rawStatement('set local session_replication_role = replica'));
    // As many pages as ten times the rows would have. Where a vacuum of the server comes by, an index
    // alone tells of so few rows what the table would, and all of them are read and sorted.
    for (const table of LARGE) {
      const settings = 'fillfactor = 10, autovacuum_enabled = false';
      await tx.query(rawStatement(`alter table ${table} set (${settings})`));
    }
    for (const text of fills) await tx.query(rawStatement(text));
  });
  await db.query(rawStatement('analyze'));
});

const from = `from (select n, lpad(n::text, 12, '0') as id, timestamptz '2026-01-01' as at
  from generate_series(1, ${ROWS}) n) row`;
const fills = [
  `insert into merchant (id, name, sealed_data_key, created_at)
    values ('m00000000001', 'm', '', '2026-01-01')`,
  `insert into checkout (id, merchant_id, environment, type, origin, page_token_hash, payload,
      billing_currency, total, settlement_asset, language, offers, fee_parts_per_million,
      underpaid_tolerance_parts_per_million, late_floor_parts_per_million, state, created_at,
      expires_at, quoted_until, completed_at, event_sequence)
    select id, 'm00000000001', 'live', 'HOSTED', 'API', sha256(id::bytea), '{}', 'EUR', 1,
      'ORIGIN', 'en', '[]', 0, 0, 900000, 'COMPLETED', at, at, at, at, 1 ${from}`,
  `insert into receipt overriding system value
    select r.* ${from}, jsonb_populate_record(null::receipt, jsonb_build_object('id', n, 'chain',
      'live:LITECOIN', 'credit_key', id, 'merchant_id', 'm00000000001', 'purpose', 'checkout',
      'purpose_id', id, 'asset_id', 'LTC:NATIVE', 'units', 10, 'transaction', id, 'destination', id,
      'spends', '{}'::text[], 'status', 'FINAL', 'generation', 1, 'seen_at', at, 'block_height', 1, 'block_hash', 'b',
      'mined_at', at,
      'credited_generation', 1)) r`,
  `insert into receipt_credit
    select c.* ${from}, jsonb_populate_record(null::receipt_credit, jsonb_build_object('receipt_id', n,
      'generation', 1, 'checkout_id', id, 'network', 'LITECOIN', 'asset_id', 'LTC:NATIVE',
      'units', 10, 'locked_units', 10, 'rate_basis', 'LOCKED', 'settlement_asset_id', 'LTC:NATIVE',
      'settlement_units', 10, 'net_units', 9, 'fee_units', 1, 'account', 'available',
      'credited_at', at, 'evidence', '{}', 'pays_debt', false)) c`,
  `insert into transfer (id, merchant_id, environment, kind, network, asset_id, account, units,
      network_fee_units, fee_units, source, target_units, state, created_at, expires_at)
    select id, 'm00000000001', 'live', 'TRANSFER', 'SEPA', 'EUR:FIAT', '{}', 1, 0, 0,
      'merchant:available', 1, 'QUOTED', at, at ${from}`,
  `insert into swap (id, merchant_id, environment, source_asset_id, source_units, target_asset_id,
      target_units, fee_units, rates, state, created_at, expires_at)
    select id, 'm00000000001', 'live', 'LTC:NATIVE', 1, 'EUR:FIAT', 1, 0, '[]', 'QUOTED', at, at ${from}`,
  `insert into ledger_entry (cause_key, kind, environment, merchant_id, subject_id, occurred_at)
    select 'receipt:' || n || ':1', 'credit', 'live', 'm00000000001', id, at ${from}`,
  `insert into event (id, merchant_id, environment, type, subject, subject_id, sequence, cause_key,
      body, created_at)
    select id, 'm00000000001', 'live', 'CHECKOUT_COMPLETED', 'checkout', id, 1, 'told' || n, '{}', at
    ${from}`,
  `insert into ledger_account (environment, merchant_id, code, asset_id)
    values ('live', null, 'custody:LITECOIN', 'LTC:NATIVE'), ('live', null, 'fees', 'LTC:NATIVE'),
      ('live', 'm00000000001', 'merchant:available', 'LTC:NATIVE')`,
  `insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
    select e.id, line.position, a.id, 'LTC:NATIVE', 'live', a.owner, line.units
    from ledger_entry e, (values (1, 'custody:LITECOIN', 10), (2, 'fees', -1),
      (3, 'merchant:available', -9)) as line(position, code, units)
    join ledger_account a on a.code = line.code`,
];

test('all that was made here has its reasons', async () => {
  assert.deepEqual(await verifyReasons(db), []);
});

test('whoever waits for the proof is told after each statement how far it is', async () => {
  let statements = 0;
  const counting: Db = {
    ...db,
    query<Row>(statement: Statement) {
      statements += 1;
      return db.query<Row>(statement);
    },
  };
  let steps = 0;
  await verifyReasons(counting, () => {
    steps += 1;
  });
  // The first one reads where the tables end; the last one of a table may find no row.
  const untold = 2 + ACTS_WITHOUT_ENTRY.length;
  assert.ok(steps >= statements - untold, `${steps} steps, ${statements} statements`);
  assert.ok(statements > 2 * (ROWS / 500), String(statements));
});

const range = { after: BigInt(ROWS / 2), upTo: BigInt(ROWS / 2 + BATCH) };
const place = String(ROWS / 2).padStart(12, '0');
const checkout = {
  merchantId: 'm00000000001',
  environment: 'live',
  createdAt: '2026-01-01',
  id: place,
};
const statements: Record<string, Statement> = {
  entries: entriesWithoutReason(range),
  receipts: receiptsWithoutEntry(range),
  events: eventsWithoutAct(range),
  checkouts: completedWithoutCredit(checkout),
  transfers: ACTS_WITHOUT_ENTRY[0]?.(place, BATCH) ?? assert.fail(),
  swaps: ACTS_WITHOUT_ENTRY[1]?.(place, BATCH) ?? assert.fail(),
};

for (const [name, statement] of Object.entries(statements)) {
  test(`${name}: a range is read by indexes, and nothing beside it`, async () => {
    const read = await explain(db, statement, { isLarge: true });
    assert.deepEqual(
      read.filter(({ rows }) => rows > MOST_READ),
      [],
    );
  });
}
