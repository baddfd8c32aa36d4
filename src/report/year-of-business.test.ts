import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { getAsset } from '#catalog/asset.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { parseJournal } from '#test/support/parse-journal.ts';
import { beginYear, liveYear, YEAR_ASSETS, type Year, yearAct } from '#test/support/random-year.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { add, differences, less, type Sums, unitsOf } from '#test/support/year-sums.ts';
import { commodity } from './journal-text.ts';
import { COST_METHODS, type CostMethod, type ReportPage, type ReportRow } from './report.ts';
import { REPORTS, readValuedPage, VALUED_REPORTS } from './reports.ts';
import { type BookFormat, writeBooks } from './write-books.ts';
import { readDatevSettings, writeDatev } from './write-datev.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const END = START.add({ hours: 365 * 24 });
const EUR = 'EUR:FIAT';
const SETTINGS = readDatevSettings({
  ...{ consultant: '29098', client: '55003', chart: 'SKR04', fiscalYear: '2026-01-01' },
  accounts: undefined,
});

let api: TestApi;
before(async () => {
  api = await openTestApi();
  // A price a month of everything but one asset.
  await api.db.single((tx) =>
    tx.query(sql`
      insert into rate (environment, code, usd_price, spread_parts_per_million, evidence,
        observed_at)
      select 'test', code, price * (10 + month % 7), 0, '{}', ${START}::timestamptz + month * interval '30 days'
      from unnest(array['LTC', 'BTC', 'ETH', 'EUR'], array[7.31, 6543.21, 234.5, 0.11])
        as p (code, price), generate_series(0, 12) month`),
  );
  await api.db.single((tx) => tx.query(sql`delete from rate where code = 'XRP'`));
});
after(() => api.close());

const story = fc.record({
  acts: fc.array(yearAct, { minLength: 60, maxLength: 100, size: 'max' }),
  /** Hours from one to the next: some are of one moment. */
  gap: fc.nat(60),
  limit: fc.integer({ min: 5, max: 40 }),
  /** Acts at whose moments the period begins and ends. */
  first: fc.nat(1000),
  last: fc.nat(1000),
});
type Asked = {
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
  readonly limit: number;
};

let years = 0;
async function newYear(): Promise<Year> {
  const { id } = await createMerchant(api.app, { name: 'Book shop' });
  years += 1;
  return beginYear(api, id, years * 1000);
}

const ownerOf = ({ merchantId }: Year): Owner => ({ merchantId, environment: 'test' });

/** What there was before that moment. */
function balancesAt({ history }: Year, at: Temporal.Instant | undefined, none: Sums): Sums {
  if (at === undefined) return none;
  const before = history.filter((one) => Temporal.Instant.compare(one.at, at) < 0);
  return before.at(-1)?.balances ?? new Map();
}

async function pagesOf<Page extends { readonly nextCursor: string | null }>(
  read: (cursor: PagePlace | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: PagePlace | undefined; ; ) {
    const page = await read(cursor);
    pages.push(page);
    if (page.nextCursor === null) return pages;
    cursor = decodeCursor(page.nextCursor);
  }
}

const rowsOf = (pages: readonly ReportPage[]): ReportRow[] => pages.flatMap(({ rows }) => rows);

async function tables(reader: Reader, year: Year, asked: Asked, names: readonly string[]) {
  const request = { ...ownerOf(year), ...asked };
  const read = await Promise.all(
    REPORTS.filter(({ name }) => names.includes(name)).map(async (report) => {
      const pages = await pagesOf((cursor) => report.read(reader, { ...request, cursor }));
      return [report.name, rowsOf(pages)] as const;
    }),
  );
  return Object.fromEntries(read);
}

async function valued(reader: Reader, year: Year, method: CostMethod, limit: number) {
  const request = { ...ownerOf(year), from: undefined, to: undefined, currency: 'EUR', method };
  const [conversions = [], gains = []] = await Promise.all(
    VALUED_REPORTS.map(async (report) =>
      rowsOf(
        await pagesOf((cursor) => readValuedPage(reader, report, { ...request, limit, cursor })),
      ),
    ),
  );
  return { conversions, gains };
}

async function faultsOfBalances(reader: Reader, year: Year, asked: Asked): Promise<string[]> {
  const { balances = [], ledger = [] } = await tables(reader, year, asked, ['balances', 'ledger']);
  const [closing, opening] = [
    balancesAt(year, asked.to, year.balances),
    balancesAt(year, asked.from, new Map()),
  ];
  const told = (column: string): Sums =>
    new Map(
      balances.map((row) => [
        `${row.account} ${row.assetId}`,
        unitsOf(row[column], row.assetId ?? ''),
      ]),
    );
  const moved: Sums = new Map();
  for (const { account, assetId, amount } of ledger) {
    add(moved, account ?? '', assetId ?? '', unitsOf(amount, assetId ?? ''));
  }
  return [
    ...differences('closing', closing, told('closing')),
    ...differences('opening', opening, told('opening')),
    ...differences(
      'credits less debits',
      less(closing, opening),
      less(told('credits'), told('debits')),
    ),
    ...differences('the ledger', less(closing, opening), moved),
  ];
}

async function faultsOfTotals(reader: Reader, year: Year, limit: number): Promise<string[]> {
  const whole = { from: undefined, to: undefined, limit };
  const { settlements = [], fees = [] } = await tables(reader, year, whole, [
    'settlements',
    'fees',
  ]);
  const settled: Sums = new Map();
  for (const { sourceAssetId, sourceAmount, settlementAssetId, netAmount, fee } of settlements) {
    add(settled, 'source', sourceAssetId ?? '', unitsOf(sourceAmount, sourceAssetId ?? ''));
    add(settled, 'net', settlementAssetId ?? '', unitsOf(netAmount, settlementAssetId ?? ''));
    add(settled, 'fee', settlementAssetId ?? '', unitsOf(fee, settlementAssetId ?? ''));
  }
  const charged: Sums = new Map();
  for (const { feeType, assetId, amount } of fees) {
    add(charged, feeType ?? '', assetId ?? '', unitsOf(amount, assetId ?? ''));
  }
  return [
    ...differences('settlements', year.settlements, settled),
    ...differences('fees', year.fees, charged),
  ];
}

async function faultsOfGains(reader: Reader, year: Year, limit: number): Promise<string[]> {
  const faults: string[] = [];
  const left: string[][] = [];
  for (const method of COST_METHODS) {
    const { gains, conversions } = await valued(reader, year, method, limit);
    const events: Sums = new Map();
    const exchanged: Sums = new Map();
    for (const { event, assetId, amount } of gains) {
      add(events, event ?? '', assetId ?? '', unitsOf(amount, assetId ?? ''));
    }
    for (const row of conversions) {
      const [source, target] = [row.sourceAssetId ?? '', row.targetAssetId ?? ''];
      add(exchanged, 'source', source, unitsOf(row.sourceAmount, source));
      add(exchanged, 'target', target, unitsOf(row.targetAmount, target));
      add(exchanged, 'fee', target, unitsOf(row.fee, target));
    }
    faults.push(...differences(`${method}, events`, year.events, events));
    faults.push(...differences('conversions', year.conversions, exchanged));
    for (const assetId of YEAR_ASSETS) faults.push(...faultsOfCost(year, gains, assetId));
    left.push(gains.map(({ amountLeft }) => amountLeft ?? ''));
  }
  if (left[0]?.join() !== left[1]?.join()) faults.push('the two methods hold other amounts');
  return faults;
}

/** What was paid is the cost of what went and of what is left; a gain is value less cost. */
function faultsOfCost(year: Year, gains: readonly ReportRow[], assetId: string): string[] {
  const rows = gains.filter((row) => row.assetId === assetId && row.event !== 'CONVERTED');
  const held = [...year.balances].reduce(
    (sum, [key, units]) => (key.endsWith(` ${assetId}`) ? sum + units : sum),
    0n,
  );
  const last = rows.at(-1);
  const faults =
    unitsOf(last?.amountLeft, assetId) === held
      ? []
      : [`${assetId}: ${last?.amountLeft} are left, not ${held}`];
  const cents = (text: string | null | undefined) => unitsOf(text ?? '0', EUR);
  const sum = (of: (row: ReportRow) => bigint) => rows.reduce((total, row) => total + of(row), 0n);
  const isCovered = rows.every(({ amountLeft }) => unitsOf(amountLeft, assetId) >= 0n);
  const paid = sum(({ event, value }) => (event === 'RECEIVED' ? cents(value) : 0n));
  const kept = sum(({ cost }) => cents(cost)) + cents(last?.costLeft);
  const isNothing = last?.amountLeft === last?.amountLeftWithoutCost;
  if (isNothing && cents(last?.costLeft) !== 0n)
    faults.push(`${assetId}: nothing is left at a cost`);
  if (isCovered && paid !== kept) faults.push(`${assetId}: paid ${paid}, of which is ${kept}`);
  for (const { event, value, cost, gain, valuedBy, amountWithoutCost, entry } of rows) {
    if (event !== 'SOLD') continue;
    const isKnown = valuedBy !== 'NO_PRICE' && amountWithoutCost === '0';
    const due = isKnown ? String(cents(value) - cents(cost)) : 'nothing';
    const said = gain === null ? 'nothing' : String(cents(gain));
    if (due !== said) faults.push(`entry ${entry} gains ${said}, not ${due}`);
  }
  return faults;
}

const BOOKS: Readonly<Record<string, string>> = {
  'merchant:available': 'Assets:Quittance:Available',
  'merchant:pending': 'Assets:Quittance:Pending',
  'merchant:reserved': 'Assets:Quittance:Reserved',
  'merchant:owed': 'Liabilities:Quittance:Owed',
};

async function faultsOfBooks(reader: Reader, year: Year, asked: Asked): Promise<string[]> {
  const { from, to } = asked;
  const request = { ...ownerOf(year), ...asked };
  const write = (format: BookFormat, assetId: string | undefined) =>
    pagesOf((cursor) => writeBooks(reader, { ...request, cursor, format, assetId }, END));
  const [closing, opening] = [
    balancesAt(year, to, year.balances),
    balancesAt(year, from, new Map()),
  ];
  const faults: string[] = [];
  for (const format of ['beancount', 'hledger'] as const) {
    const text = (await write(format, undefined)).map((page) => page.text).join('\n');
    const { sums, asserted } = parseJournal(text);
    for (const [key, units] of closing) {
      const [code = '', assetId = ''] = key.split(' ');
      const name = `${BOOKS[code]} ${commodity(assetId)}`;
      const due = units * 10n ** BigInt(18 - getAsset(assetId).decimals);
      if ((sums.get(name) ?? 0n) !== due) faults.push(`${format}: ${name} is ${sums.get(name)}`);
      if ((asserted.get(name) ?? 0n) !== due) faults.push(`${format}: ${name} is not asserted`);
    }
  }
  const available = `merchant:available ${EUR}`;
  const due = (closing.get(available) ?? 0n) - (opening.get(available) ?? 0n);
  const said = (what: string, units: bigint) => {
    if (units !== due) faults.push(`${what}: the euros moved by ${units}, not ${due}`);
  };
  for (const [format, column] of [
    ['xero', 1],
    ['quickbooks', 2],
  ] as const) {
    const lines = (await write(format, EUR)).flatMap(({ text }) => text.split('\r\n').slice(1, -1));
    const amounts = lines.map((line) => unitsOf(line.split(',')[column], EUR));
    said(
      format,
      amounts.reduce((sum, units) => sum + units, 0n),
    );
  }
  let carried = opening.get(available) ?? 0n;
  for (const { text } of await write('camt053', EUR)) {
    const [statement] = readStatements(new TextEncoder().encode(text));
    const { openingUnits, closingUnits } = statement?.balances ?? {};
    if (openingUnits !== carried) faults.push(`camt.053 opens with ${openingUnits}`);
    carried = closingUnits ?? 0n;
  }
  said('camt.053', carried - (opening.get(available) ?? 0n));
  return faults;
}

async function faultsOfDatev(reader: Reader, year: Year): Promise<string[]> {
  const asked = { ...ownerOf(year), from: undefined, to: undefined, limit: 5000, assetId: EUR };
  const text = await writeDatev(reader, asked, SETTINGS, END);
  const booked: Sums = new Map();
  for (const row of text.split('\r\n').slice(2, -1)) {
    const [amount = '', side, , , , , account = ''] = row.split(';');
    const units = BigInt(amount.replace(',', ''));
    add(booked, account, EUR, side === '"S"' ? units : -units);
  }
  const names = ['available', 'pending', 'reserved', 'owed'].map((name) => `merchant:${name}`);
  const due = new Map(
    names.map((name) => [
      `${SETTINGS.accounts.get(name)} ${EUR}`,
      year.balances.get(`${name} ${EUR}`) ?? 0n,
    ]),
  );
  const own = new Map([...booked].filter(([key]) => due.has(key)));
  return differences('DATEV', due, own);
}

async function yearFaults(reader: Reader, year: Year, asked: Asked): Promise<string[]> {
  const found = [
    await faultsOfBalances(reader, year, { ...asked, from: undefined, to: undefined }),
    await faultsOfBalances(reader, year, asked),
    await faultsOfTotals(reader, year, asked.limit),
    await faultsOfGains(reader, year, asked.limit),
    await faultsOfBooks(reader, year, asked),
    await faultsOfDatev(reader, year),
  ];
  return found.flat();
}

/** Columns that reports are made of: in each, one unit more in one row has to be found. */
const COLUMNS = [
  ...['units', 'closingUnits', 'creditedUnits', 'debitedUnits', 'netUnits', 'feeUnits'],
  ...['sourceUnits', 'sentUnits', 'exchangedUnits'],
];

/** Adds a unit to the first one of that column, in each answer, that is not nothing. */
function oneUnitMore(reader: Reader, column: string): Reader {
  return {
    async query<Row>(statement: Parameters<Reader['query']>[0]): Promise<Row[]> {
      let isDone = false;
      const rows = await reader.query<Row & Record<string, unknown>>(statement);
      return rows.map((row) => {
        const units = row[column];
        if (isDone || typeof units !== 'bigint' || units === 0n) return row;
        isDone = true;
        return { ...row, [column]: units + 1n };
      });
    },
  };
}

test('over a year by chance every report ties to what was done, to the unit', async () => {
  const { db } = api;
  await fc.assert(
    fc.asyncProperty(story, async ({ acts, gap, limit, first, last }) => {
      const year = await newYear();
      await liveYear(year, acts, { start: START, gap });
      // Of every other year what was booked is summed by days, of the rest it is told by entries.
      if (years % 2 === 0) await followLedgerDays(api.app);
      const [from, to] = [first, last]
        .map((one) => year.history[one % year.history.length]?.at ?? START)
        .toSorted(Temporal.Instant.compare);
      const asked = { from, to, limit };
      assert.deepEqual(await yearFaults(db, year, asked), []);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  assert.deepEqual((await verifyLedger(db)).faults, []);
});

test('one unit too many in any column is found', async () => {
  const year = await newYear();
  const [acts = []] = fc.sample(fc.array(yearAct, { minLength: 90, maxLength: 90 }), {
    numRuns: 1,
    seed: 7,
  });
  await liveYear(year, acts, { start: START, gap: 40 });
  await followLedgerDays(api.app);
  const asked = { from: START.add({ hours: 999 }), to: END, limit: 50 };
  assert.deepEqual(await yearFaults(api.db, year, asked), []);
  const happened = [...year.events, ...year.fees].flatMap(([key, units]) =>
    units === 0n ? [] : [key.split(' ')[0]],
  );
  const rare = [
    ...['RECEIVED', 'SOLD', 'CONVERTED', 'SENT', 'REFUNDED', 'FEE', 'TAKEN_BACK', 'CAME_BACK'],
    ...['service', 'network'],
  ];
  assert.deepEqual([...new Set(happened)].toSorted(), rare.toSorted());
  for (const column of COLUMNS) {
    const faults = await yearFaults(oneUnitMore(api.db, column), year, asked);
    assert.notDeepEqual(faults, [], `${column} was changed, and nothing was found`);
  }
});
