// The books of the house over years by chance of two merchants: what they say is what is posted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, sql } from '#db/db.ts';
import { naturalUnits } from '#ledger/account.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { parseJournal } from '#test/support/parse-journal.ts';
import { beginYear, liveYear, type Year, yearAct } from '#test/support/random-year.ts';
import { post } from '#test/support/random-year-out.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { add, differences, less, type Sums, unitsOf } from '#test/support/year-sums.ts';
import { houseAccountName, houseGroup } from './account-names.ts';
import type { HousePeriod } from './house-ledger.ts';
import { commodity } from './journal-text.ts';
import type { ReportRow } from './report.ts';
import { HOUSE_TABLES, houseJournal, housePeriod, houseStatements } from './write-house.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const END = START.add({ hours: 365 * 24 });
const EUR = 'EUR:FIAT';

let api: TestApi;
let years: Year[];
before(async () => {
  api = await openTestApi();
  const other = await createMerchant(api.app, { name: 'Second shop' });
  const [one, two] = [api.merchantId, other.id].map((id, index) => {
    return beginYear(api, id, index * 100_000);
  });
  assert.ok(one && two);
  years = [one, two];
  for (const [index, year] of years.entries()) {
    const acts = fc.sample(yearAct, { numRuns: 90, seed: 5 + index });
    await liveYear(year, acts, { start: START, gap: 40 });
  }
  await toProvider(one);
});
after(() => api.close());

/** Money of banks goes to an exchange: it is on its way, and a part of it has arrived. */
async function toProvider(year: Year): Promise<void> {
  const entry = { environment: 'test' as const, occurredAt: START.add({ hours: 4000 }) };
  const moves = [
    ['outside:SEPA', 'transit:kraken', 5_000n],
    ['transit:kraken', 'custody:kraken', 3_000n],
  ] as const;
  for (const [from, to, units] of moves) {
    await post(year, {
      ...{ ...entry, kind: 'provider-move', causeKey: `test:${from}` },
      postings: [
        { account: { code: to }, assetId: EUR, units },
        { account: { code: from }, assetId: EUR, units: -units },
      ],
    });
  }
}

/** Debit positive: the postings themselves. */
async function postedBefore(at: Temporal.Instant): Promise<Sums> {
  const rows = await api.db.query<{ key: string; units: bigint }>(sql`
    select a.code || ' ' || a.asset_id as key, sum(p.units) as units
    from ledger_posting p join ledger_entry e on e.id = p.entry_id
      join ledger_account a on a.id = p.account_id
    where e.occurred_at < ${at} and e.environment = 'test' group by 1`);
  return new Map(rows.map(({ key, units }) => [key, units]));
}

async function rowsOf(reader: Reader, name: keyof typeof HOUSE_TABLES, period: HousePeriod) {
  return (await Array.fromAsync(HOUSE_TABLES[name].rows(reader, period))).flat();
}

const natural = (sums: Sums): Sums =>
  new Map([...sums].map(([key, units]) => [key, naturalUnits(key.split(' ')[0] as 'dust', units)]));

async function faultsOfTables(reader: Reader, period: HousePeriod): Promise<string[]> {
  const { from = START, to = END } = period;
  const [opening, closing] = [natural(await postedBefore(from)), natural(await postedBefore(to))];
  const balances = await rowsOf(reader, 'balances', period);
  const told = (column: keyof ReportRow): Sums =>
    new Map(balances.map((row) => [keyOf(row), unitsOf(row[column], row.assetId ?? '')]));
  const moved: Sums = new Map();
  for (const row of await rowsOf(reader, 'ledger', period)) {
    add(moved, row.account ?? '', row.assetId ?? '', unitsOf(row.amount, row.assetId ?? ''));
  }
  return [
    ...differences('opening', opening, told('opening')),
    ...differences('closing', closing, told('closing')),
    ...differences(
      'the balances',
      less(closing, opening),
      less(told('increase'), told('decrease')),
    ),
    ...differences('the ledger', less(closing, opening), moved),
  ];
}

const keyOf = ({ account, assetId }: ReportRow) => `${account} ${assetId}`;

async function faultsOfJournals(reader: Reader, period: HousePeriod): Promise<string[]> {
  const closing = await postedBefore(period.to ?? END);
  const faults: string[] = [];
  for (const format of ['beancount', 'hledger'] as const) {
    const text = (await Array.fromAsync(houseJournal(reader, format, period, END))).join('');
    const { sums, asserted } = parseJournal(text);
    for (const [key, units] of closing) {
      const [code = '', assetId = ''] = key.split(' ');
      const name = `${houseAccountName(code)} ${commodity(assetId)}`;
      const due = units * 10n ** BigInt(18 - getAsset(assetId).decimals);
      if ((sums.get(name) ?? 0n) !== due) faults.push(`${format}: ${name} is ${sums.get(name)}`);
      if ((asserted.get(name) ?? 0n) !== due) faults.push(`${format}: ${name} is not asserted`);
    }
  }
  return faults;
}

async function faultsOfStatements(reader: Reader, period: HousePeriod): Promise<string[]> {
  const [opening, closing] = [
    await postedBefore(period.from ?? START),
    await postedBefore(period.to ?? END),
  ];
  const carried: Sums = new Map();
  const faults: string[] = [];
  for await (const { name, text } of houseStatements(reader, period, END)) {
    const [statement] = readStatements(new TextEncoder().encode(text));
    const { openingUnits, closingUnits } = statement?.balances ?? {};
    const account = name.replace(/-EUR(?:-\d+)?$/, '').replace('-', ':');
    const before = carried.get(`${account} ${EUR}`) ?? opening.get(`${account} ${EUR}`) ?? 0n;
    if (openingUnits !== before) faults.push(`${name} opens with ${openingUnits}`);
    carried.set(`${account} ${EUR}`, closingUnits ?? 0n);
  }
  const held = [...closing].filter(([key]) => /^(custody|outside|transit):.* EUR:FIAT$/.test(key));
  return [...faults, ...differences('camt.053', new Map(held), carried)];
}

async function faultsOf(reader: Reader, period: HousePeriod): Promise<string[]> {
  return [
    ...(await faultsOfTables(reader, period)),
    ...(await faultsOfJournals(reader, period)),
    ...(await faultsOfStatements(reader, period)),
  ];
}

const periodOf = (from?: Temporal.Instant, to?: Temporal.Instant) =>
  housePeriod(api.app, { environment: 'test', from, to });

test('whatever the period is, what there was and what moved is what there is, to the unit', async () => {
  assert.deepEqual(await faultsOf(api.db, await periodOf()), []);
  await fc.assert(
    fc.asyncProperty(fc.nat(5000), fc.nat(5000), async (one, other) => {
      const [from, to] = [one, other]
        .toSorted((a, b) => a - b)
        .map((hours) => START.add({ hours }));
      assert.deepEqual(await faultsOf(api.db, await periodOf(from, to)), []);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

test('what is owed to merchants is what their own books say, and everything together is nothing', async () => {
  const rows = await rowsOf(api.db, 'balances', await periodOf());
  const owed: Sums = new Map();
  for (const { balances } of years) {
    for (const [key, units] of balances) {
      const [code = '', assetId = ''] = key.split(' ');
      add(owed, code, assetId, units);
    }
  }
  const told = rows
    .filter(({ group }) => group === 'OWED_TO_MERCHANTS')
    .map((row) => [keyOf(row), unitsOf(row.closing, row.assetId ?? '')] as const);
  assert.deepEqual(differences('owed', owed, new Map(told)), []);
  const all: Sums = new Map();
  for (const { account, assetId, closing } of rows) {
    const stored = naturalUnits(account as 'dust', unitsOf(closing, assetId ?? ''));
    add(all, 'all', assetId ?? '', stored);
  }
  assert.deepEqual(
    [...all.values()].filter((units) => units !== 0n),
    [],
  );
  const groups = new Set(rows.map(({ group }) => group));
  for (const group of ['HOT', 'COLD', 'PROVIDER', 'IN_TRANSIT', 'SUSPENSE', 'EARNED', 'SPENT']) {
    assert.ok(groups.has(group), `the year has ${group}`);
  }
});

test('what is booked while a file is written is in no part of it', async () => {
  const period = await periodOf();
  const before = await rowsOf(api.db, 'balances', period);
  const [year] = years;
  assert.ok(year);
  await post(year, {
    ...{ causeKey: 'test:meanwhile', kind: 'test', environment: 'test' as const },
    occurredAt: START.add({ hours: 10 }),
    postings: [
      { account: { code: 'dust' }, assetId: EUR, units: 7n },
      { account: { code: 'losses' }, assetId: EUR, units: -7n },
    ],
  });
  const known = new Set(before.map(keyOf));
  const later = await rowsOf(api.db, 'balances', period);
  assert.deepEqual(
    later.filter((row) => known.has(keyOf(row))),
    before,
  );
  assert.ok(later.every((row) => known.has(keyOf(row)) || row.closing === '0'));
  const rows = await rowsOf(api.db, 'ledger', period);
  assert.ok(rows.every(({ kind }) => kind !== 'test'));
  assert.deepEqual(await faultsOf(api.db, await periodOf()), []);
});

/** In each, one unit more in the first answer that has some has to be found. */
const COLUMNS = ['units', 'openingUnits', 'debitedUnits', 'creditedUnits'];

for (const column of COLUMNS) {
  test(`one unit too many in ${column} is found`, async () => {
    const wrong: Reader = {
      async query<Row>(statement: Parameters<Reader['query']>[0]): Promise<Row[]> {
        const rows = await api.db.query<Row & Record<string, unknown>>(statement);
        const index = rows.findIndex(
          (row) => typeof row[column] === 'bigint' && row[column] !== 0n,
        );
        return rows.map((row, at) =>
          at === index ? { ...row, [column]: (row[column] as bigint) + 1n } : row,
        );
      },
    };
    const period = await periodOf(START.add({ hours: 2_500 }));
    assert.notDeepEqual(await faultsOfTables(wrong, period), []);
    if (column === 'units') assert.notDeepEqual(await faultsOfJournals(wrong, period), []);
  });
}

const NAMES = [
  ['custody:BITCOIN', 'HOT', 'Assets:Quittance:Hot:BITCOIN'],
  ['custody:kraken', 'PROVIDER', 'Assets:Quittance:Providers:Kraken'],
  ['outside:XRP_LEDGER', 'COLD', 'Assets:Quittance:Cold:XRP-LEDGER'],
  ['transit:kraken', 'IN_TRANSIT', 'Assets:Quittance:In-Transit:Kraken'],
  ['suspense:SEPA', 'SUSPENSE', 'Liabilities:Quittance:Suspense:SEPA'],
  ['merchant:available', 'OWED_TO_MERCHANTS', 'Liabilities:Quittance:Merchants:Available'],
  ['fees', 'EARNED', 'Income:Quittance:Fees'],
  ['conversion-result', 'EARNED', 'Income:Quittance:Conversion-result'],
  ['network-fees', 'SPENT', 'Expenses:Quittance:Network-fees'],
  ['losses', 'SPENT', 'Expenses:Quittance:Losses'],
  ['exchange', 'EXCHANGED', 'Equity:Quittance:Exchange'],
] as const;
test('every account of the house has its group and its name', () => {
  for (const [code, group, name] of NAMES) {
    assert.deepEqual([houseGroup(code), houseAccountName(code)], [group, name]);
  }
});
