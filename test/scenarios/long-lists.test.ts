// Every list of the API among 200,000 rows of one merchant (20,000 in a short run): the plan that
// is made once for all values (plan_cache_mode in src/db/db.ts) reads from an index what the page
// shows, and not what lies before it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { listUnpaid } from '#chain/receipt.ts';
import { hasCheckouts, LOOKED_MOST, listCheckouts } from '#checkout/list-checkouts.ts';
import type { Db, Reader, Statement } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { rawStatement } from '#db/statement.ts';
import { listDepositAddresses } from '#deposit-address/deposit-address.ts';
import { listEvents } from '#event/event.ts';
import { listWebhookEndpoints } from '#event/webhook-endpoint.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { listMerchants } from '#merchant/merchant.ts';
import { parseDecimal } from '#money/decimal.ts';
import type { ShopVisit } from '#pages/dashboard/guard.ts';
import { listNeeds } from '#pages/dashboard/list-needs.ts';
import { searchCheckouts } from '#pages/dashboard/search-checkouts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { listBeneficiaries } from '#people/beneficiary.ts';
import { listCustomerIds, listCustomers, searchCustomers } from '#people/customer.ts';
import { listRefunds } from '#refund/refund.ts';
import { readAccountStatement } from '#report/account-statement.ts';
import { balancesReport } from '#report/balances-report.ts';
import { feesReport } from '#report/fees-report.ts';
import { listHouseBalances, listHouseEntries } from '#report/house-ledger.ts';
import { readJournal } from '#report/journal.ts';
import { ledgerReport } from '#report/ledger-report.ts';
import { listRefunded } from '#report/list-refunded.ts';
import type { Report } from '#report/report.ts';
import { settlementsReport } from '#report/settlements-report.ts';
import { taxesReport } from '#report/taxes-report.ts';
import { listValuedTakings } from '#takings/list-valued.ts';
import { explain } from '#test/support/explain.ts';
import { fillLongTables, owner, ROWS, row, start } from '#test/support/long-tables.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { listTransfers } from '#transfer/transfer.ts';

const LIMIT = 50;
/** What a page may read of a table: its rows, a few more, and never what grows with the list. */
const MOST_READ = 4 * LIMIT;
const deep = row(ROWS / 2);
let db: Db;

before(async () => {
  const database = await openTestDatabase({ unsafeFast: true });
  ({ db } = database);
  await fillLongTables(db);
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
  'checkouts of a state that none is in': {
    table: 'checkout',
    list: checkouts({ state: 'EXPIRED' }),
  },
  'checkouts of a state that none of a period is in': {
    table: 'checkout',
    list: checkouts({ state: 'EXPIRED', from: row(1000).at, to: row(ROWS - 1000).at }),
  },
  'checkouts of an amount that none has': {
    table: 'checkout',
    list: checkouts({ total: parseDecimal('77') }),
  },
  'checkouts of a short period long ago': {
    table: 'checkout',
    list: checkouts({ from: row(1000).at, to: row(1060).at }),
  },
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
  'events of a type that none is of': {
    table: 'event',
    list: (db, cursor) =>
      listEvents({ db }, { ...owner, type: 'REFUND_COMPLETED', cursor, limit: LIMIT }),
  },
  'events that a key for money may hear of': {
    table: 'event',
    list: (db, cursor) => listEvents({ db }, { ...owner, scopes: ['money'], cursor, limit: LIMIT }),
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
  'refunds of sales': {
    table: 'ledger_entry',
    list: (reader, cursor) => {
      const after = { at: cursor?.at ?? start, entry: BigInt(cursor?.id ?? 0) };
      return listRefunded(
        reader,
        placed(undefined, () => ''),
        after,
      );
    },
  },
  'the report of taxes': { table: 'checkout', list: report(taxesReport, ({ id }) => id) },
};

for (const [name, { table, list, before }] of Object.entries(lists)) {
  test(`${name}: each page is read from an index, and nothing beside it`, async (t) => {
    for (const [page, cursor] of [
      ['first', undefined],
      ['deep', deep],
    ] as const) {
      const asked = await firstStatement((reader) => list(reader, cursor), before);
      const read = await explain(db, asked, { isLarge: true });
      t.diagnostic(`${page}: ${read.map((one) => `${one.node} ${one.table} ${one.rows}`)}`);
      assert.ok(read.some((one) => one.table === table));
      for (const { table, node, rows } of read) {
        // The three accounts of the ledger are a table of three rows.
        if (table === 'ledger_account') continue;
        // Of an empty one nothing is read, by no index either.
        if (rows === 0) continue;
        assert.match(node, /^(?:Index|Index Only|Bitmap Heap) Scan$/, `${page} page: ${table}`);
        assert.ok(rows <= MOST_READ, `${page} page: ${rows} rows of ${table} are read`);
      }
    }
  });
}

/** What is not in any index: of each of these a bounded number of rows is looked through. */
const sought: Record<
  string,
  { readonly filter: Parameters<typeof checkouts>[0]; before?: number }
> = {
  'a field of meta': { filter: { meta: new Map([['order', '77']]) } },
  'a field of meta, of a state': {
    filter: { state: 'COMPLETED', meta: new Map([['order', '77']]) },
  },
  'a state, of an amount': { filter: { total: parseDecimal('1'), state: 'EXPIRED' } },
  'a state, of a customer': { filter: { customerId: 'c7', state: 'EXPIRED' }, before: 1 },
};

for (const [name, { filter, before }] of Object.entries(sought)) {
  test(`checkouts by ${name}: a page looks through so many and no more`, async () => {
    for (const cursor of [undefined, row(ROWS - 60)]) {
      const asked = await firstStatement((reader) => checkouts(filter)(reader, cursor), before);
      for (const { table, node, rows } of await explain(db, asked, { isLarge: true })) {
        assert.match(node, /^(?:Index|Index Only) Scan$/, table);
        assert.ok(rows <= LOOKED_MOST, `${rows} rows of ${table} are read`);
      }
    }
  });
}

const place = { ...owner, merchantName: '', role: 'OWNER', shops: [] } as const;

/** Pages until the last one: what they show, and how many there are. */
async function walk(
  list: (cursor: PagePlace | undefined) => ReturnType<typeof listCheckouts>,
): Promise<{ readonly ids: readonly string[]; readonly pages: number }> {
  const ids: string[] = [];
  let cursor: PagePlace | undefined;
  for (let pages = 1; ; pages += 1) {
    assert.ok(pages <= ROWS / LOOKED_MOST + 1);
    const { checkouts, nextCursor, looked } = await list(cursor);
    ids.push(...checkouts.map(({ id }) => id));
    if (nextCursor === null) return { ids, pages };
    assert.equal(looked, LOOKED_MOST);
    cursor = decodeCursor(nextCursor);
  }
}

test('what is beyond the first look is found by going on, in the API and in the dashboard', async () => {
  const only = row(7).id;
  await db.transact(async (tx) => {
    await tx.query(rawStatement('set local session_replication_role = replica'));
    await tx.query(rawStatement(`delete from deposit_instruction where purpose_id = '${only}'`));
    await tx.query(
      rawStatement(`update checkout set meta = '{"order":77}',
        offers = '{"offers":[],"withheld":[]}' where id = '${only}'`),
    );
  });
  const app = { db, keyring, networks: new Map() } as unknown as PageApp;
  const visit = { place, language: { code: 'en' } } as unknown as ShopVisit;
  const filter = { ...noFilter, meta: new Map([['order', '77']]) };
  const asked = { wanted: 'order=77', filter: noFilter, most: LIMIT };
  for (const list of [
    (cursor: PagePlace | undefined) => listCheckouts(app, owner, filter, { cursor, limit: LIMIT }),
    (cursor: PagePlace | undefined) => searchCheckouts(app, visit, { ...asked, cursor }),
  ]) {
    const { ids, pages } = await walk(list);
    assert.deepEqual(ids, [only]);
    assert.ok(pages >= ROWS / LOOKED_MOST, `${pages} pages`);
  }
});

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

test('balances of a long period are told from days, and from the postings of the one in which it begins', async (t) => {
  while ((await followLedgerDays({ db, clock: systemClock })) === 'busy');
  const dayBegins = start.add({ hours: 48 });
  for (const from of [undefined, start, dayBegins.subtract({ minutes: 10 })]) {
    const period = { ...youngPeriod, from };
    const asked = await firstStatement((reader) => balancesReport.read(reader, period));
    const read = await explain(db, asked, { isLarge: true });
    t.diagnostic(`${from}: ${read.map((one) => `${one.node} ${one.table} ${one.rows}`)}`);
    assert.ok(read.some(({ table, rows }) => table === 'ledger_day' && rows > 0));
    for (const { table, rows } of read) assert.ok(rows <= MOST_READ, `${rows} rows of ${table}`);
  }
});

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

test('fees of a shop that has few: a page looks at so many entries, and the next one goes on there', async () => {
  const [looked, more] = [20_000, 50];
  const shop = 'm00000000002';
  await db.transact(async (tx) => {
    await tx.query(rawStatement('set local session_replication_role = replica'));
    await tx.query(
      rawStatement(`insert into ledger_entry
          (cause_key, kind, environment, merchant_id, subject_id, occurred_at)
        select 'few:' || n, 'credit', 'live', '${shop}', null, timestamptz '${start}' + n * interval '1 minute'
        from generate_series(1, ${looked + more}) as n`),
    );
    await tx.query(
      rawStatement(`insert into ledger_posting
          (entry_id, position, account_id, asset_id, environment, owner, units)
        select e.id, 1, a.id, 'LTC:NATIVE', 'live', '', -7
        from ledger_entry e join ledger_account a on a.code = 'fees'
        where e.cause_key in ('few:${looked}', 'few:${looked + more}')`),
    );
  });
  const whole = { ...owner, merchantId: shop, from: undefined, to: undefined, limit: LIMIT };
  const first = await feesReport.read(db, { ...whole, cursor: undefined });
  assert.deepEqual(
    first.rows.map(({ amount }) => amount),
    ['0.00000007'],
  );
  const cursor = decodeCursor(first.nextCursor ?? assert.fail('there is more to look at'));
  const second = await feesReport.read(db, { ...whole, cursor });
  assert.equal(second.rows.length, 1);
  assert.equal(second.nextCursor, null);
});
