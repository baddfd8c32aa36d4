// What an accountant takes along of a shop: every report in every form, for the days he chooses.
// What the files say together is what the ledger says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listWallets } from '#ledger/account.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { REPORTS, VALUED_REPORTS } from '#report/reports.ts';
import { followTakings } from '#takings/follow-takings.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { readZip } from '#test/support/read-zip.ts';

let world: DashboardWorld;
let shop: string;
let paid: string;
let accountant: DashboardBrowser;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
  paid = await world.create();
  await payCheckout(world, paid);
  accountant = await world.comeAs('ACCOUNTANT');
});
after(() => world.close());

const JANUARY = 'from=2026-01-01&to=2026-01-31';
const EUR = 'EUR:FIAT';
const FILE_LINES = 1_005;
const DATEV = 'report=ledger&format=datev&asset=EUR:FIAT&consultant=29098&client=55003&chart=SKR04';
const YEAR = 'fiscalYear=2026-01-01';

/** A file of the days, as an accountant gets it. */
async function fileOf(asked: string) {
  const answer = await accountant.get(`${shop}/reports/file?${JANUARY}&${asked}`);
  const file = answer.headers.get('content-disposition') ?? '';
  const type = answer.headers.get('content-type') ?? '';
  return { ...answer, file: /filename="([^"]+)"/.exec(file)?.[1], type };
}

test('each report is a table and a file of rows, from the first day to the last one included', async () => {
  const get = (asked: string) => accountant.get(`${shop}/reports/file?${asked}`);
  for (const { name, columns } of [...REPORTS, ...VALUED_REPORTS]) {
    const asked = `report=${name}&${JANUARY}&currency=USD&method=average`;
    const { status, markup, headers } = await get(asked);
    if (name === 'fees' || name === 'conversions') {
      // Nobody charges this shop, and nothing was exchanged.
      assert.equal(status, 404, name);
      assert.match(markup, /Nothing is in these days/);
      continue;
    }
    assert.equal(status, 200, name);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    const file = `attachment; filename="test-${name}-2026-01-01-2026-01-31.csv"`;
    assert.equal(headers.get('content-disposition'), file);
    const [head = '', ...lines] = markup.trim().split('\r\n');
    assert.equal(head, columns.map((column) => column.name).join(','));
    assert.ok(lines.length > 0);
    const { rows, ...told } = JSON.parse((await get(`${asked}&format=json`)).markup);
    assert.equal(rows.length, lines.length, 'the same rows');
    assert.deepEqual(told, {
      ...{ report: name, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      ...(name === 'gains' && { currency: 'USD', method: 'average' }),
    });
  }
  const day = world.clock.now().toString().slice(0, 10);
  const taxes = async (from: string, to: string) =>
    (await get(`report=taxes&from=${from}&to=${to}`)).markup;
  assert.match(await taxes(day, day), new RegExp(paid));
  assert.doesNotMatch(await taxes('2025-01-01', '2025-12-31'), new RegExp(paid));
});

test('the room opens with last month, and keeps to the days that are chosen, in UTC', async () => {
  const { markup } = await accountant.get(`${shop}/reports`);
  assert.match(markup, /December 1.{3,15}31, 2025, UTC/, 'the month before this');
  assert.match(markup, /name="from" value="2025-12-01"/);
  assert.match(markup, /<option value="2025-12" selected>December 2025/);
  const quarter = await accountant.get(`${shop}/reports?period=2026-Q1`);
  assert.match(quarter.markup, /<option value="2026-Q1" selected>Quarter 1 of 2026/);
  assert.match(quarter.markup, /name="to" value="2026-03-31"/);
  const days = await accountant.get(`${shop}/reports?from=2026-01-05&to=2026-01-06`);
  assert.match(days.markup, /name="from" value="2026-01-05"/);
  assert.doesNotMatch(days.markup, /selected>[^<]*202/, 'none of the named ones');
  for (const wrong of ['period=2026-13', 'period=', 'from=2026-01-05', 'from=x&to=2026-01-01']) {
    const { status, markup: said } = await accountant.get(`${shop}/reports?${wrong}`);
    assert.equal(status, 400, wrong);
    assert.match(said, /Write two days/);
  }
});

test('the ledger is written for programs of accounting, and only the ledger', async () => {
  for (const [format, ending] of [
    ['hledger', 'journal'],
    ['beancount', 'beancount'],
  ]) {
    const asked = `report=ledger&format=${format}`;
    const { status, markup, file } = await fileOf(asked);
    assert.equal(status, 200);
    assert.equal(file, `test-ledger-2026-01-01-2026-01-31.${ending}`);
    assert.match(markup, new RegExp(paid));
  }
  const wrong = await fileOf('report=fees&format=beancount');
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /Only the ledger is written for that program/);
});

test('without money of banks there is no statement, and a word why', async () => {
  const { markup } = await accountant.get(`${shop}/reports`);
  assert.match(markup, /No money of banks has been credited yet/);
  assert.doesNotMatch(markup, /name="asset"|id="consultant"/);
  for (const asset of ['', 'asset=LTC:NATIVE', 'asset=NONE:FIAT']) {
    const wrong = await fileOf(`report=ledger&format=xero&${asset}`);
    assert.equal(wrong.status, 400, asset);
    assert.match(wrong.markup, /Choose an account in money of banks/);
  }
});

test('statements and tables are whole and tie to the ledger, however many pages and files they are', async () => {
  const { app, caller } = world;
  const { merchantId } = caller;
  const money = { merchantId, assetId: EUR, occurredAt: world.clock.now() };
  const many = Array.from({ length: FILE_LINES }, (_, number) => {
    return { ...money, cause: `many${number}`, units: BigInt(number + 1) };
  });
  await fundMerchant(app.db, ...many);
  const wallets = await listWallets(app.db, { merchantId, environment: 'test' });
  const balance = wallets.find(({ assetId }) => assetId === EUR)?.availableUnits;
  assert.equal(balance, BigInt((FILE_LINES * (FILE_LINES + 1)) / 2));
  const sum = (texts: readonly string[]) =>
    texts.reduce((all, text) => all + (amountFromText(text, 2) ?? 0n), 0n);

  const table = await fileOf('report=ledger');
  const [head, ...lines] = table.markup.trim().split('\r\n');
  assert.ok(!lines.includes(head ?? ''), 'the columns are named once');
  const euros = lines.filter((line) => line.includes(EUR));
  assert.equal(new Set(euros).size, FILE_LINES);
  assert.equal(sum(euros.map((line) => line.split(',').at(-2) ?? '')), balance);

  const bytesOf = async (asked: string) => {
    const url = `http://localhost:8080${shop}/reports/file?${JANUARY}&report=ledger&${asked}`;
    const headers = { cookie: accountant.cookies() };
    const answer = await world.pages.fetch(new Request(url, { headers }));
    assert.equal(answer.status, 200, asked);
    return Buffer.from(await answer.arrayBuffer());
  };
  const amount: Readonly<Record<string, number>> = { xero: 1, quickbooks: 2 };
  for (const format of ['xero', 'quickbooks', 'camt053']) {
    const files = readZip(await bytesOf(`format=${format}&asset=${EUR}`));
    const name = `test-${format}-EUR-2026-01-01-2026-01-31`;
    const ending = format === 'camt053' ? 'xml' : 'csv';
    assert.deepEqual([...files.keys()], [`${name}.1.${ending}`, `${name}.2.${ending}`]);
    const column = amount[format];
    const amounts = [...files.values()].flatMap((text) =>
      column === undefined
        ? text
            .matchAll(/<Ntry><Amt Ccy="EUR">([\d.]+)</g)
            .map(([, found = '']) => found)
            .toArray()
        : text
            .trim()
            .split('\r\n')
            .slice(1)
            .map((line) => line.split(',')[column] ?? ''),
    );
    assert.equal(amounts.length, FILE_LINES);
    assert.equal(sum(amounts), balance);
  }

  const batch = (await bytesOf(`${DATEV.slice('report=ledger&'.length)}&${YEAR}`)).toString(
    'latin1',
  );
  const [first = '', , ...rows] = batch.trim().split('\r\n');
  assert.match(
    first,
    /^"EXTF";700;21;"Buchungsstapel";13;.*;29098;55003;20260101;4;20260101;20260131;/,
  );
  const available = rows.map((row) => row.split(';')).filter((row) => row[6] === '1301');
  assert.equal(sum(available.map(([units = '']) => units.replace(',', '.'))), balance);
});

test('DATEV is asked for by form, each fault has its sentence, and what was typed stays', async () => {
  const room = await accountant.get(`${shop}/reports?period=2026-01`);
  assert.match(room.markup, /<option value="EUR:FIAT">EUR/);
  assert.match(room.markup, /name="fiscalYear" type="date" value="2026-01-01"/);
  const good = await fileOf(`${DATEV}&${YEAR}&available=1361`);
  assert.equal(good.status, 200, good.markup.slice(0, 200));
  assert.equal(good.file, 'EXTF_test_EUR_2026-01-01_2026-01-31.csv');
  assert.match(good.type, /windows-1252/);
  assert.match(good.markup, /;1361;1370;/, 'the account that was named');
  for (const [change, said] of [
    ['consultant=1000', /one from 1001 to 9999999/],
    ['client=x', /one from 1 to 99999/],
    ['chart=SKR99', /Choose SKR03 or SKR04/],
    ['fiscalYear=', /Write the first day of the fiscal year/],
    ['fees=12', /4 to 8 digits/],
    ['fiscalYear=2025-01-01', /have to lie within the fiscal year/],
    ['asset=LTC:NATIVE', /Choose an account in money of banks/],
    ['asset=', /Choose an account in money of banks/],
  ] as const) {
    const [name = ''] = change.split('=');
    const asked = new URLSearchParams(`${DATEV}&${YEAR}`);
    asked.set(name, change.slice(name.length + 1));
    const { status, markup } = await fileOf(String(asked));
    assert.equal(status, 400, change);
    assert.match(markup, said);
    assert.match(markup, /role="alert"/);
    assert.match(markup, /<option value="SKR04" selected>|chart=SKR99|<option value="SKR03"/);
  }
  const both = await fileOf('report=ledger&format=datev&asset=EUR:FIAT');
  assert.match(both.markup, /9999999.+99999.+SKR04.+fiscal year/s, 'every fault at once');
});

test('days in which nothing happened are said, in every form', async () => {
  const old = 'from=2025-03-01&to=2025-03-31&report=ledger';
  const forms = ['csv', 'json', 'hledger', 'beancount', 'xero', 'quickbooks', 'camt053'];
  const asked = forms.map((format) => `format=${format}&asset=${EUR}`);
  asked.push(`${DATEV}&fiscalYear=2025-01-01`);
  for (const one of asked) {
    const { status, markup } = await accountant.get(`${shop}/reports/file?${old}&${one}`);
    assert.equal(status, 404, one);
    assert.match(markup, /Nothing is in these days/);
    assert.match(markup, /name="from" value="2025-03-01"/, 'what was chosen stays');
  }
});

test('a period that is none is said, and what was chosen stays', async () => {
  for (const period of [
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=x&to=y',
    '',
  ]) {
    const { status, markup } = await accountant.get(`${shop}/reports/file?report=fees&${period}`);
    assert.equal(status, 400, period);
    assert.match(markup, /Write two days/);
    assert.match(markup, /<option value="fees" selected>/);
  }
});

test('charts are of a year by month, with the table of what they show, and say what they do not', async () => {
  const { app } = world;
  while ((await followTakings(app)) === 'busy');
  const { status, markup } = await accountant.get(`${shop}/reports/charts?period=2026-Q1`);
  assert.equal(status, 200);
  const income = /<figure class="chart card" id="income">.*?<\/figure>/s.exec(markup)?.[0] ?? '';
  assert.match(income, /<rect /);
  const months = [...income.matchAll(/<th scope="row">([^<]+)<\/th><td>(\d+)<\/td><td>([^<]+)</g)];
  assert.equal(months.length, 12);
  assert.deepEqual([months[0]?.[1], months[11]?.[1]], ['April 2025', 'March 2026']);
  const january = months.find(([, name]) => name === 'January 2026');
  assert.equal(january?.[2], '1', 'one sale');
  const { rows } = JSON.parse((await fileOf('report=taxes&format=json')).markup);
  assert.ok(january?.[3]?.includes(rows[0].total), 'as much as in the report of taxes');
  assert.match(markup, /There were no fees in these months/);
  assert.match(markup, /Nothing was exchanged in these months/);
});
