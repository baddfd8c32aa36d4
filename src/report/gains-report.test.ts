import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { sql } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { accountsOf, type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { decimalToText, parseDecimal, subtract } from '#money/decimal.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { conversionsReport } from './conversions-report.ts';
import { gainsReport } from './gains-report.ts';
import type { CostMethod, ReportRow, ValuedReport } from './report.ts';
import { readValuedPage } from './reports.ts';

const BTC = 'BTC:NATIVE';
const EUR = 'EUR:FIAT';

let api: TestApi;
before(async () => {
  api = await openTestApi();
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
});
after(() => api.close());

async function price(code: string, usd: string): Promise<void> {
  await api.clock.advance(1000);
  const now = api.clock.now();
  await api.db.single((tx) =>
    tx.query(sql`
      insert into rate (environment, code, usd_price, spread_parts_per_million, evidence,
        observed_at) values ('test', ${code}, ${usd}::numeric, 0, '{}', ${now})`),
  );
  await api.clock.advance(1000);
}

async function receive(units: bigint, cause: string): Promise<void> {
  const { merchantId } = api;
  const funds = { assetId: BTC, occurredAt: api.clock.now(), merchantId, cause, units };
  await fundMerchant(api.db, funds);
}

async function sell(sourceAmount: string): Promise<void> {
  await api.clock.advance(1000);
  const body = { sourceAsset: BTC, targetAsset: EUR, sourceAmount };
  const quoted = await api.call('POST', '/swap', { body });
  assert.equal(quoted.status, 200, JSON.stringify(quoted.json));
  const { id } = quoted.json.swap as unknown as { id: string };
  await api.clock.advance(1000);
  const done = await api.call('POST', '/swap/commit', { body: { swapId: id } });
  assert.equal(done.status, 200, JSON.stringify(done.json));
}

async function rowsOf(
  report: ValuedReport,
  method: CostMethod,
  limit = 1000,
): Promise<ReportRow[]> {
  const { merchantId } = api;
  const owner = { merchantId, environment: 'test', from: undefined, to: undefined } as const;
  const rows: ReportRow[] = [];
  let cursor: PagePlace | undefined;
  do {
    const asked = { ...owner, currency: 'EUR', method, limit, cursor };
    const page = await readValuedPage(api.db, report, asked);
    rows.push(...page.rows);
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
  return rows;
}

const gains = (method: CostMethod) => rowsOf(gainsReport, method);

test('coins received at two prices and sold: cost, worth and gain of each', async () => {
  await price('EUR', '1.25');
  await price('BTC', '12500');
  await receive(100_000_000n, 'first');
  await price('BTC', '25000');
  await receive(100_000_000n, 'second');
  await sell('1.5');
  const shown = (rows: readonly ReportRow[]) =>
    rows
      .filter(({ assetId }) => assetId === BTC)
      .map(({ event, amount, value, cost, gain, amountLeft, costLeft }) =>
        [event, amount, value, cost, gain, amountLeft, costLeft].join(' '),
      );
  const fifo = await gains('fifo');
  // What was sold is worth what was received by it, at the price of the swap.
  const bought = fifo.find(({ assetId }) => assetId === EUR);
  const worth = bought?.amount ?? '';
  assert.deepEqual([bought?.event, bought?.value], ['RECEIVED', worth]);
  const less = (cost: string) => decimalToText(subtract(parseDecimal(worth), parseDecimal(cost)));
  assert.deepEqual(shown(fifo), [
    'RECEIVED 1 10000 0  1 10000',
    'RECEIVED 1 20000 0  2 30000',
    `SOLD -1.5 ${worth} 20000 ${less('20000')} 0.5 10000`,
  ]);
  const average = shown(await gains('average')).at(-1);
  assert.equal(average, `SOLD -1.5 ${worth} 22500 ${less('22500')} 0.5 7500`);
});

test('what is left ties to the balances of the ledger, to the unit', async () => {
  const rows = await gains('fifo');
  const { json } = await api.call('GET', '/wallets', { query: '' });
  const wallets = json.wallets as unknown as { assetId: string; available: string }[];
  for (const assetId of [BTC, EUR]) {
    const left = rows.findLast((row) => row.assetId === assetId)?.amountLeft;
    assert.equal(left, wallets.find((wallet) => wallet.assetId === assetId)?.available);
  }
});

test('a conversion says what it was worth when it came, when it went, and by which prices', async () => {
  const [row, ...others] = await rowsOf(conversionsReport, 'fifo');
  assert.deepEqual(others, []);
  const { netAmount, fee, targetAmount, valueAtDisposal } = row ?? {};
  assert.equal(
    decimalToText(subtract(parseDecimal(targetAmount ?? ''), parseDecimal(fee ?? ''))),
    netAmount,
  );
  assert.deepEqual([row?.sourceAssetId, row?.sourceAmount], [BTC, '1.5']);
  assert.deepEqual([row?.valueAtReceipt, valueAtDisposal], ['20000', netAmount]);
  // What was received is the currency itself.
  assert.deepEqual([row?.valuedBy, row?.priceTime, row?.rates], ['CURRENCY', null, null]);
  const [received] = await gains('fifo');
  assert.equal(received?.valuedBy, 'STORED_PRICE');
  assert.match(received?.rates ?? '', /^\d+ \d+$/);
});

test('pages of one row are together the whole', async () => {
  for (const report of [gainsReport, conversionsReport]) {
    assert.deepEqual(await rowsOf(report, 'average', 1), await rowsOf(report, 'average'));
  }
});

test('what has no stored price says so, costs nothing that is known, and gains nothing', async () => {
  const { merchantId, clock } = api;
  const funds = { merchantId, cause: 'unpriced', assetId: 'XRP:NATIVE', units: 5_000_000n };
  await api.db.single((tx) => tx.query(sql`delete from rate where code = 'XRP'`));
  await fundMerchant(api.db, { ...funds, occurredAt: clock.now() });
  const row = (await gains('fifo')).find(({ assetId }) => assetId === 'XRP:NATIVE');
  const { event, value, valuedBy, priceTime, amountLeft, costLeft, amountLeftWithoutCost } =
    row ?? {};
  assert.deepEqual([event, value, valuedBy, priceTime], ['RECEIVED', null, 'NO_PRICE', null]);
  assert.deepEqual([amountLeft, costLeft, amountLeftWithoutCost], ['5', '0', '5']);
});

test('through the API they are pages of JSON or CSV, for a key that may read reports', async () => {
  type Answer = { report: { rows: ReportRow[] }; nextCursor: string | null };
  const read = async (query: string) => {
    const { status, text } = await api.call('GET', '/reports/gains', { query });
    assert.equal(status, 200, text);
    return JSON.parse(text) as Answer;
  };
  const whole = await read('?currency=EUR&method=average');
  assert.deepEqual(whole.report.rows, await gains('average'));
  const first = await read('?currency=EUR&method=average&limit=2');
  const rest = await read(`?currency=EUR&method=average&cursor=${first.nextCursor}`);
  assert.deepEqual([...first.report.rows, ...rest.report.rows], whole.report.rows);
  const query = '?currency=USD&format=csv';
  const path = '/reports/conversions';
  const url = `http://pay.example/api/v1${path}${query}`;
  const answer = await api.api.fetch(new Request(url, { headers: api.sign('GET', path) }), {});
  const [{ headers }, text] = [answer, await answer.text()];
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.match(text, /^time,entry,kind,subjectId,sourceAssetId,sourceAmount,/);
  const key = await api.otherMerchant();
  const other = await api.call('GET', '/reports/gains', { query: '?currency=EUR', key });
  assert.deepEqual((JSON.parse(other.text) as Answer).report.rows, []);
  for (const [wrong, message] of [
    ['', /currency: is required/],
    ['?currency=BTC', /currency: must be the code of a currency of GET \/currencies/],
    ['?currency=EUR&method=lifo', /method: must be one of fifo, average/],
    ['?currency=EUR&from=2026-02-01&to=2026-01-01', /from: must not be after to/],
  ] as const) {
    const refused = await api.call('GET', '/reports/gains', { query: wrong });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, message);
  }
});

test('a payment that is converted as it comes is worth two things, and undone it is neither', async () => {
  const { merchantId, clock, db } = api;
  await price('LTC', '100');
  await price('BTC', '20000');
  const entry = {
    ...({ kind: 'checkout-receipt-available', environment: 'test', merchantId } as const),
    ...{ causeKey: 'receipt:7:1', occurredAt: clock.now() },
    postings: [
      { account: { code: 'custody:LITECOIN' }, assetId: 'LTC:NATIVE', units: 300_000_000n },
      { account: { code: 'exchange' }, assetId: 'LTC:NATIVE', units: -300_000_000n },
      { account: { code: 'exchange' }, assetId: BTC, units: 1_500_000n },
      { account: { merchantId, code: 'merchant:available' }, assetId: BTC, units: -1_490_000n },
      { account: { code: 'fees' }, assetId: BTC, units: -10_000n },
    ],
  } satisfies Entry;
  await ensureAccounts(db, accountsOf([entry]));
  await db.transact(async (tx) => postEntries(tx, [entry]));
  await clock.advance(1000);
  const reversal = { kind: 'checkout-reversal', cause: 'reorganisation', occurredAt: clock.now() };
  await db.transact(async (tx) => postEntries(tx, reverseEntries([entry], reversal)));
  const shown = (await rowsOf(conversionsReport, 'fifo')).slice(-2);
  assert.deepEqual(
    shown.map((row) => [row.sourceAmount, row.netAmount, row.fee, row.valueAtReceipt, row.gain]),
    [
      ['3', '0.0149', '0.0001', '240', '-1.6'],
      ['-3', '-0.0149', '-0.0001', '-240', '1.6'],
    ],
  );
  const [before, ...after] = (await gains('fifo'))
    .filter(({ assetId }) => assetId === BTC)
    .slice(-3);
  assert.deepEqual(
    [before?.costLeft, ...after.map(({ event, costLeft }) => `${event} ${costLeft}`)],
    ['10000', 'RECEIVED 10238.4', 'TAKEN_BACK 10000'],
  );
});
