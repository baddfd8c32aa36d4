// Every list of the API among 200,000 rows of one merchant (40,000 in a short run): the plan that PostgreSQL makes once for
// all values (plan_cache_mode in src/db/db.ts) reads from an index what the page shows, and not
// what lies before it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listUnpaid } from '#chain/receipt.ts';
import { hasCheckouts, listCheckouts } from '#checkout/list-checkouts.ts';
import type { Db, Reader, Statement } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';
import { rawStatement } from '#db/statement.ts';
import { listDepositAddresses } from '#deposit-address/deposit-address.ts';
import { listEvents } from '#event/event.ts';
import { listWebhookEndpoints } from '#event/webhook-endpoint.ts';
import { listMerchants } from '#merchant/merchant.ts';
import { listNeeds } from '#pages/dashboard/list-needs.ts';
import { listBeneficiaries } from '#people/beneficiary.ts';
import { listCustomerIds, listCustomers, searchCustomers } from '#people/customer.ts';
import { listRefunds } from '#refund/refund.ts';
import { readAccountStatement } from '#report/account-statement.ts';
import { balancesReport } from '#report/balances-report.ts';
import { feesReport } from '#report/fees-report.ts';
import { listHouseBalances, listHouseEntries } from '#report/house-ledger.ts';
import { readJournal } from '#report/journal.ts';
import { ledgerReport } from '#report/ledger-report.ts';
import type { Report } from '#report/report.ts';
import { settlementsReport } from '#report/settlements-report.ts';
import { taxesReport } from '#report/taxes-report.ts';
import { listValuedTakings } from '#takings/list-valued.ts';
import { explain } from '#test/support/explain.ts';
import { byLength } from '#test/support/run-length.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { listTransfers } from '#transfer/transfer.ts';

const ROWS = byLength({ short: 20_000, long: 200_000 });
const LIMIT = 50;
/** What a page may read of a table: its rows, a few more, and never what grows with the list. */
const MOST_READ = 4 * LIMIT;
const merchantId = 'm00000000001';
const owner = { merchantId, environment: 'live' } as const;
const start = Temporal.Instant.from('2025-01-01T00:00:00Z');

/** `at` and `id` of row n; three rows have the same time. */
const row = (n: number): PagePlace => ({
  at: start.add({ seconds: Math.floor(n / 3) * 60 }),
  id: String(n).padStart(12, '0'),
});
const deep = row(ROWS / 2);
const atText = (n: string) => `timestamptz '${start}' + floor(${n} / 3) * interval '1 minute'`;
const series = (n: string) => `from generate_series(1, ${ROWS}) as ${n}`;

type Fill = { readonly table: string; readonly columns: string; readonly values: string };

/** What lists leave out (deleted, of another kind) is most of the table, and the newest of it. */
const isLeftOut = `n % 20 <> 0`;
const fills: readonly Fill[] = [
  {
    table: 'merchant',
    columns: 'id, name, sealed_data_key, created_at',
    values: `'m' || lpad(n::text, 11, '0'), 'm', '', at`,
  },
  {
    table: 'customer',
    columns: 'id, merchant_id, environment, email, created_at, updated_at, deleted_at',
    values: `id, m, 'live', 'a@example.org', at, at, case when ${isLeftOut} then at end`,
  },
  {
    table: 'beneficiary',
    columns:
      'id, merchant_id, environment, label, network, account, created_at, usable_at, deleted_at, seal',
    values: `id, m, 'live', id, 'SEPA', '{}', at, at, case when ${isLeftOut} then at end,
      decode(repeat('07', 32), 'hex')`,
  },
  {
    table: 'checkout',
    columns: `id, merchant_id, environment, type, origin, page_token_hash, customer_id, payload,
      billing_currency, total, settlement_asset, language, offers, fee_parts_per_million,
      underpaid_tolerance_parts_per_million, late_floor_parts_per_million, state, created_at,
      expires_at, quoted_until, completed_at`,
    values: `id, m, 'live', 'HOSTED', 'API', sha256(id::bytea), 'c' || n % 1000, '{}', 'EUR', 1,
      'ORIGIN', 'en', '[]', 0, 0, 900000, 'COMPLETED', at, at, at, at`,
  },
  {
    table: 'deposit_instruction',
    columns: `id, chain, merchant_id, purpose, purpose_id, asset_id, destination, address,
      source_id, source_index, integrity_mac, created_at`,
    values: `id, case when ${isLeftOut} then 'live:LITECOIN' else 'live:LIGHTNING' end, m,
      'checkout', id, 'BTC:NATIVE', id, id, 1, n, '', at`,
  },
  {
    table: 'deposit_address',
    columns: `id, merchant_id, environment, network, asset_id, instruction_id,
      fee_parts_per_million, created_at`,
    values: `id, m, 'live', 'LITECOIN', 'LTC:NATIVE', id, 0, at`,
  },
  {
    table: 'transfer',
    columns: `id, merchant_id, environment, kind, network, asset_id, account, units,
      network_fee_units, fee_units, source, target_units, state, created_at, expires_at`,
    values: `id, m, 'live', case when ${isLeftOut} then 'REFUND' else 'TRANSFER' end, 'SEPA',
      'EUR:FIAT', '{}', 1, 0, 0, 'merchant:available', 1, 'QUOTED', at, at`,
  },
  {
    table: 'refund',
    columns: `id, merchant_id, environment, checkout_id, kind, context, network, asset_id, units,
      state, transfer_id, created_at`,
    values: `id, m, 'live', id, 'full', 'COMPLETED_CHECKOUT', 'SEPA', 'EUR:FIAT', 1, 'UNDER_WAY',
      id, at`,
  },
  {
    table: 'event',
    columns: `id, merchant_id, environment, type, subject, subject_id, sequence, cause_key, body,
      created_at`,
    values: `id, m, 'live', 'CHECKOUT_COMPLETED', 'checkout', 's' || n / 4, 1 + n % 4, id, '{}', at`,
  },
  {
    table: 'webhook_delivery',
    columns: `event_id, merchant_id, environment, url, lane, state, attempt_count,
      next_attempt_at, created_at, finished_at`,
    values: `id, m, 'live', 'https://example.org', 'a', 'DELIVERED', 1, at, at, at`,
  },
  {
    table: 'suspense',
    columns: `receipt_id, generation, environment, network, asset_id, units, reason, merchant_id,
      state, found_at, resolved_at`,
    values: `n, 1, 'live', 'LITECOIN', 'LTC:NATIVE', 1, 'UNKNOWN_INDEX', m, 'RETURNED', at, at`,
  },
  {
    table: 'approval',
    columns: `subject, environment, merchant_id, about, digest, asked_at, approver, approved_at,
      seal`,
    values: `id, 'live', m, 'a', '', at, 'b', at, ''`,
  },
  {
    table: 'taking',
    columns: `merchant_id, environment, day, network, asset_id, language, currency, payments`,
    values: `m, 'live', timestamptz '2000-01-01Z' + n * interval '1 day', 'LITECOIN',
      'LTC:NATIVE', 'en', 'EUR', 1`,
  },
  {
    // A few of each shop: nearly nobody pays twice.
    table: 'bill_paid_again',
    columns: 'checkout_id, bill_id, merchant_id, environment, paid_by, noted_at',
    values: `id, id, 'm' || lpad(n::text, 11, '0'), 'live', id, at`,
  },
  {
    table: 'webhook_endpoint',
    columns: `id, merchant_id, environment, url, sealed_secret, created_at, disabled_at`,
    values: `id, m, 'live', 'https://example.org', '', at, at`,
  },
  {
    table: 'ledger_entry',
    columns: 'cause_key, kind, environment, merchant_id, subject_id, occurred_at',
    values: `id, 'credit', 'live', m, id, at`,
  },
];

const postings = `
  insert into ledger_account (environment, merchant_id, code, asset_id)
  values ('live', null, 'custody:LITECOIN', 'LTC:NATIVE'), ('live', null, 'fees', 'LTC:NATIVE'),
    ('live', '${merchantId}', 'merchant:available', 'LTC:NATIVE');
  insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
  select e.id, line.position, a.id, 'LTC:NATIVE', 'live', a.owner, line.units
  from ledger_entry e, (values (1, 'custody:LITECOIN', 10), (2, 'fees', -1),
    (3, 'merchant:available', -9)) as line(position, code, units)
  join ledger_account a on a.code = line.code`;

let db: Db;

before(async () => {
  const database = await openTestDatabase({ unsafeFast: true });
  ({ db } = database);
  await db.transact(async (tx) => {
    await tx.query(rawStatement('set local statement_timeout = 0'));
    // Without triggers and foreign keys: only how much is read is looked at here.
    await tx.query(rawStatement('set local session_replication_role = replica'));
    // As many pages as ten times the rows would have.
    for (const table of ['ledger_entry', 'ledger_posting']) {
      await tx.query(rawStatement(`alter table ${table} set (fillfactor = 10)`));
    }
    // Of 100 million postings the sample that PostgreSQL takes has an entry rarely twice, and makes it
    // expect 125 postings of each, where there are five.
    await tx.query(
      rawStatement('alter table ledger_posting alter entry_id set (n_distinct = -0.008)'),
    );
    for (const { table, columns, values } of fills) {
      await tx.query(
        rawStatement(`insert into ${table} (${columns})
          select ${values} from (select n, lpad(n::text, 12, '0') as id, ${atText('n')} as at,
            '${merchantId}' as m ${series('n')}) as rows order by n`),
      );
    }
    await tx.query(rawStatement(postings));
  });
  await db.query(rawStatement('analyze'));
});

/** The first statement of an act, which is not run; `before`: so many are run before it. */
async function firstStatement(
  act: (reader: Reader) => Promise<unknown>,
  before = 0,
): Promise<Statement> {
  const noted: Statement[] = [];
  const reader: Reader = {
    query: async (statement) => {
      noted.push(statement);
      if (noted.length <= before) return db.query(statement);
      throw new Error('noted');
    },
  };
  await assert.rejects(act(reader), /noted/);
  const wanted = noted[before];
  assert.ok(wanted !== undefined);
  return wanted;
}

type List = (reader: Reader, cursor: PagePlace | undefined) => Promise<unknown>;

const noFilter = {
  state: undefined,
  from: undefined,
  to: undefined,
  customerId: undefined,
  meta: new Map<string, string>(),
};
const checkouts =
  (filter: Partial<Parameters<typeof listCheckouts>[2]>): List =>
  (db, cursor) =>
    listCheckouts(
      { db } as Parameters<typeof listCheckouts>[0],
      owner,
      { ...noFilter, ...filter },
      {
        cursor,
        limit: LIMIT,
      },
    );
const placed = (cursor: PagePlace | undefined, place: (cursor: PagePlace) => string) => ({
  ...{ ...owner, from: undefined, to: undefined, limit: LIMIT },
  cursor: cursor && { at: cursor.at, id: place(cursor) },
});
const report =
  ({ read }: Report, place: (cursor: PagePlace) => string): List =>
  (reader, cursor) =>
    read(reader, placed(cursor, place));

/** What is sealed here is sealed alike: the list is what is under test. */
const keyring = { mac: () => new Uint8Array(32).fill(7) };

/** `before`: how many statements come before it, each of which is looked at elsewhere. */
const lists: Record<
  string,
  { readonly table: string; readonly list: List; readonly before?: number }
> = {
  merchants: {
    table: 'merchant',
    list: (db, cursor) =>
      listMerchants(db, {
        after: cursor && { id: `m${cursor.id.slice(1)}`, name: 'm', createdAt: cursor.at },
        limit: LIMIT,
      }),
  },
  customers: {
    table: 'customer',
    list: (db, cursor) => listCustomers({ db }, owner, { cursor, limit: LIMIT }),
  },
  beneficiaries: {
    table: 'beneficiary',
    list: (db, cursor) => listBeneficiaries({ db, keyring }, owner, { cursor, limit: LIMIT }),
  },
  checkouts: { table: 'checkout', list: checkouts({}) },
  'checkouts of a state': { table: 'checkout', list: checkouts({ state: 'COMPLETED' }) },
  'checkouts of a period': {
    table: 'checkout',
    list: checkouts({ from: row(1000).at, to: row(ROWS - 1000).at }),
  },
  'checkouts of a customer': {
    ...{ table: 'checkout', list: checkouts({ customerId: 'c7' }), before: 1 },
  },
  'deposit addresses': {
    table: 'deposit_address',
    list: (db, cursor) =>
      listDepositAddresses({ db } as Parameters<typeof listDepositAddresses>[0], owner, {
        cursor,
        limit: LIMIT,
      }),
  },
  transfers: {
    table: 'transfer',
    list: (db, cursor) => listTransfers({ db }, owner, { cursor, limit: LIMIT }),
  },
  refunds: {
    table: 'refund',
    list: (db, cursor) => listRefunds({ db }, owner, { cursor, limit: LIMIT }),
  },
  events: {
    table: 'event',
    list: (db, cursor) => listEvents({ db }, { ...owner, cursor, limit: LIMIT }),
  },
  'events of a subject': {
    table: 'event',
    list: (db, cursor) =>
      listEvents({ db }, { ...owner, subjectId: 's4000', cursor, limit: LIMIT }),
  },
  'events of a type': {
    table: 'event',
    list: (db, cursor) =>
      listEvents({ db }, { ...owner, type: 'CHECKOUT_COMPLETED', cursor, limit: LIMIT }),
  },
  'webhook endpoints': {
    table: 'webhook_endpoint',
    list: (db, cursor) => listWebhookEndpoints({ db }, owner, { cursor, limit: LIMIT }),
  },
  'the report of the ledger': {
    table: 'ledger_entry',
    list: report(ledgerReport, ({ id }) => `${Number(id)}x2`),
  },
  'the report of fees': {
    table: 'ledger_entry',
    list: report(feesReport, ({ id }) => `${Number(id)}x2`),
  },
  'the report of settlements': {
    table: 'ledger_entry',
    list: report(settlementsReport, ({ id }) => String(Number(id))),
  },
  'a journal': {
    table: 'ledger_entry',
    list: (reader, cursor) =>
      readJournal(
        reader,
        placed(cursor, ({ id }) => String(Number(id))),
        start,
      ),
  },
  'the statement of an asset': {
    table: 'ledger_entry',
    list: (reader, cursor) =>
      readAccountStatement(
        reader,
        placed(cursor, ({ id }) => `${Number(id)}x2`),
        'LTC:NATIVE',
        start,
      ),
  },
  'the report of taxes': { table: 'checkout', list: report(taxesReport, ({ id }) => id) },
};

/** Of which a page is read as if it were of a ledger that is larger than the memory. */
const ofLedger = new Set(['ledger_entry']);

for (const [name, { table, list, before }] of Object.entries(lists)) {
  test(`${name}: each page is read from an index, and nothing beside it`, async (t) => {
    for (const [page, cursor] of [
      ['first', undefined],
      ['deep', deep],
    ] as const) {
      const asked = await firstStatement((reader) => list(reader, cursor), before);
      const read = await explain(db, asked, { isLarge: ofLedger.has(table) });
      t.diagnostic(`${page}: ${read.map((one) => `${one.node} ${one.table} ${one.rows}`)}`);
      assert.ok(read.some((one) => one.table === table));
      for (const { table, node, rows } of read) {
        // The three accounts of the ledger are a table of three rows.
        if (table === 'ledger_account') continue;
        assert.match(node, /^(?:Index|Index Only|Bitmap Heap) Scan$/, `${page} page: ${table}`);
        assert.ok(rows <= MOST_READ, `${page} page: ${rows} rows of ${table} are read`);
      }
    }
  });
}

test('the watch of invoices reads those of the last days, whatever was handed out before', async () => {
  const since = row(ROWS - 3 * LIMIT).at;
  const read = await explain(
    db,
    await firstStatement((reader) => listUnpaid(reader, 'live:LIGHTNING', since)),
  );
  const instructions = read.filter((one) => one.table === 'deposit_instruction');
  assert.equal(instructions.length, 1);
  for (const { node, rows } of instructions) {
    assert.match(node, /^(?:Index|Index Only|Bitmap Heap) Scan$/);
    assert.ok(rows <= MOST_READ, `${rows} instructions are read`);
  }
});

const place = { ...owner, merchantName: '', role: 'OWNER', shops: [] } as const;
/** What is asked for, and how many rows of it may be read: each kind from an index of its own. */
const looks: Record<string, (reader: Reader) => Promise<unknown>> = {
  'what needs a person': (reader) => listNeeds(reader, place, start),
  'customers by how they are called': (reader) =>
    searchCustomers({ db: reader }, owner, { begins: 'a@', most: LIMIT }),
  'which ids a customer has': (reader) => listCustomerIds(reader, owner, 'c7'),
  'what came in': (reader) => {
    const now = Temporal.Instant.from('2030-01-01T00:00:00Z');
    return listValuedTakings(reader, owner, { since: now.subtract({ hours: 30 * 24 }), now });
  },
  'whether there ever was a checkout': (reader) => hasCheckouts(reader, owner),
};

for (const [name, look] of Object.entries(looks)) {
  test(`${name}: the dashboard asks indexes, whatever lies beside it`, async (t) => {
    const read = await explain(db, await firstStatement(look));
    t.diagnostic(`${read.map((one) => `${one.node} ${one.table} ${one.rows}`)}`);
    assert.ok(read.length > 0);
    for (const { table, node, rows } of read) {
      assert.match(node, /^(?:Index|Index Only|Bitmap Heap) Scan$/, table);
      assert.ok(rows <= MOST_READ, `${rows} rows of ${table} are read`);
    }
  });
}

// Balances are counted back from now: what is older than the period costs nothing.
const young = row(ROWS - LIMIT).at;
const few = LIMIT / 2;
const youngPeriod = { ...owner, from: young, to: undefined, limit: few, cursor: undefined };
const counted: Record<string, { readonly act: List; readonly before?: number }> = {
  'balances of a period': { act: (reader) => balancesReport.read(reader, youngPeriod) },
  'what a journal begins with': {
    ...{ act: (reader) => readJournal(reader, youngPeriod, start), before: 1 },
  },
  'the balance of a statement': {
    ...{
      act: (reader) => readAccountStatement(reader, youngPeriod, 'LTC:NATIVE', start),
      before: 1,
    },
  },
};

for (const [name, { act, before }] of Object.entries(counted)) {
  test(`${name}: what is younger is read, and nothing beside it`, async (t) => {
    const asked = await firstStatement((reader) => act(reader, undefined), before);
    const read = await explain(db, asked, { isLarge: true });
    t.diagnostic(`${read.map((one) => `${one.node} ${one.table} ${one.rows}`)}`);
    assert.ok(read.some(({ table, rows }) => table === 'ledger_posting' && rows >= few));
    for (const { table, rows } of read) {
      if (table === 'ledger_account') continue;
      assert.ok(rows <= MOST_READ, `${rows} rows of ${table} are read`);
    }
  });
}

/** What a statement of the house may read: a batch of entries with three lines each. */
const BATCH_MOST = new Map([
  ['ledger_entry', 10_000],
  ['ledger_posting', 30_000],
]);
const house = { environment: 'live', from: undefined, to: undefined, top: BigInt(ROWS) } as const;
const ofHouse: Record<string, (reader: Reader) => Promise<unknown>> = {
  balances: (reader) => listHouseBalances(reader, house),
  'the first page of entries': (reader) => listHouseEntries(reader, house, LIMIT).next(),
};

for (const [name, act] of Object.entries(ofHouse)) {
  test(`${name} of the house: no statement reads the whole ledger`, async (t) => {
    let seen = 0;
    await act({
      query: async (statement) => {
        for (const { table, rows } of await explain(db, statement, { isLarge: true })) {
          const most = BATCH_MOST.get(table);
          if (most === undefined) continue;
          t.diagnostic(`${table} ${rows}`);
          assert.ok(rows <= most, `${rows} rows of ${table} are read`);
          seen += rows;
        }
        return db.query(statement);
      },
    });
    assert.ok(seen > LIMIT);
  });
}
