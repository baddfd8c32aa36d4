import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicValue, createApiKey, type NewApiKey } from '#access/api-key.ts';
import { createApi } from '#api/http/create-api.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { reverseEntries } from '#ledger/ledger-entry.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { BOOK_FORMATS } from '#report/write-books.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { listEntriesOfSubject } from '#test/support/ledger-entries.ts';
import { parseJournal } from '#test/support/parse-journal.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

type Row = Record<string, string | null>;
type Json = {
  report: { name: string; from: string | null; to: string | null; rows: Row[] };
  nextCursor: string | null;
};

const PATHS = [
  '/reports/balances',
  '/reports/ledger',
  '/reports/settlements',
  '/reports/fees',
  '/reports/taxes',
];

let world: TestApp;
let api: ReturnType<typeof createApi>;
let key: NewApiKey;
let taxed: string;
let converted: string;

async function pay(checkoutId: string): Promise<void> {
  const { app, caller } = world;
  const commitment = await commitCheckout(app, { checkoutId, owner: caller, network: 'LITECOIN' });
  const chain = chainOf('test', 'LITECOIN');
  const { destination } = commitment.instruction;
  const { assetId, arrivingUnits: units } = commitment;
  await paySandbox(app, { chain, outputs: [{ destination, assetId, units }] });
  await mineBlocks(app, chain, 4);
  await world.observe('LITECOIN');
  await world.settle();
}

const lineItems = [{ description: 'Book', netAmount: '100' }];

before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app, caller, clock } = world;
  key = await createApiKey(app, { merchantId: caller.merchantId, environment: 'test' });
  api = createApi(app);
  const taxItems = [
    { name: '=VAT', percent: '0.19' },
    { name: 'City, "old"', percent: '0.005' },
  ];
  const shippingCostItems = [{ description: 'Post', netAmount: '5', taxable: true }];
  taxed = await world.create({
    charge: { billingCurrency: 'USD', lineItems, taxItems, shippingCostItems },
  });
  await pay(taxed);
  await clock.advance(3_600_000);
  converted = await world.create({
    charge: { billingCurrency: 'USD', lineItems },
    settlementAsset: 'BTC:NATIVE',
  });
  await pay(converted);
  const swap = await createSwap(
    app,
    { ...caller, feePartsPerMillion: 5000 },
    {
      sourceAssetId: 'LTC:NATIVE',
      targetAssetId: 'EUR:FIAT',
      fixed: { sourceUnits: 100_000_000n },
    },
  );
  await commitSwap(app, { swapId: swap.id, owner: caller });
});
after(() => world.close());

async function get(path: string, query = '', asked = key) {
  const url = `http://pay.example/api/v1${path}${query}`;
  const headers = { 'x-basic': basicValue(asked.key, asked.secret) };
  const response = await api.fetch(new Request(url, { headers }), {});
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function report(name: string, query = ''): Promise<Json> {
  const { status, text } = await get(`/reports/${name}`, query);
  assert.equal(status, 200, text);
  const json = JSON.parse(text);
  const route = ROUTES.find(({ path }) => path === `/reports/${name}`);
  assert.equal(route?.scope, 'report');
  assert.deepEqual(route?.response.parse(json), json);
  return json;
}

test('balances say what there was, what came, what went and what is left', async () => {
  const json = await report('balances', '?from=2026-01-01T12:30:00Z&to=2026-01-02T00:00:00Z');
  assert.deepEqual(json, {
    report: {
      name: 'balances',
      from: '2026-01-01T12:30:00+00:00',
      to: '2026-01-02T00:00:00+00:00',
      rows: [
        balance('BTC', 'NATIVE', '0', '0.001', '0', '0.001'),
        balance('EUR', 'FIAT', '0', '86.52', '0', '86.52'),
        balance('LTC', 'NATIVE', '1.2548', '0', '1', '0.2548'),
      ],
    },
    nextCursor: null,
  });
  const before = await report('balances', '?to=2026-01-01T12:30:00Z');
  assert.deepEqual(before.report.rows, [
    balance('BTC', 'NATIVE', '0', '0', '0', '0'),
    balance('EUR', 'FIAT', '0', '0', '0', '0'),
    balance('LTC', 'NATIVE', '0', '1.2548', '0', '1.2548'),
  ]);
});

function balance(code: string, issuer: string, ...amounts: [string, string, string, string]): Row {
  const [opening, credits, debits, closing] = amounts;
  const asset = { assetId: `${code}:${issuer}`, assetCode: code };
  return { account: 'merchant:available', ...asset, opening, credits, debits, closing };
}

test('the ledger shows every movement of the money of the merchant', async () => {
  const { report: shown } = await report('ledger');
  assert.deepEqual([shown.from, shown.to], [null, null]);
  assert.deepEqual(shown.rows[0], {
    time: '2026-01-01T12:00:00+00:00',
    entry: '1',
    kind: 'checkout-receipt-available',
    subjectId: taxed,
    account: 'merchant:available',
    assetId: 'LTC:NATIVE',
    assetCode: 'LTC',
    amount: '1.2548',
    correctsEntry: null,
  });
  assert.deepEqual(
    shown.rows.map(({ kind, assetCode, amount }) => [kind, assetCode, amount]),
    [
      ['checkout-receipt-available', 'LTC', '1.2548'],
      ['checkout-receipt-available', 'BTC', '0.001'],
      ['swap', 'LTC', '-1'],
      ['swap', 'EUR', '86.52'],
    ],
  );
});

test('settlements show what was paid and what was credited for it', async () => {
  const { report: shown } = await report('settlements', '?from=2026-01-01T12:30:00Z');
  assert.deepEqual(shown.rows, [
    {
      time: '2026-01-01T13:00:00+00:00',
      entry: '2',
      kind: 'checkout-receipt-available',
      subjectId: converted,
      customerId: null,
      billingCurrency: 'USD',
      total: '100',
      sourceAssetId: 'LTC:NATIVE',
      sourceAmount: '1',
      settlementAssetId: 'BTC:NATIVE',
      amount: '0.001',
      fee: '0',
      netAmount: '0.001',
      meta: null,
    },
  ]);
});

test('fees show what was kept, and of what', async () => {
  const { report: shown } = await report('fees');
  const [row, ...others] = shown.rows;
  assert.deepEqual(others, []);
  const { subjectId, ...rest } = row ?? {};
  assert.match(String(subjectId), /^[a-z0-9]{12}$/);
  assert.deepEqual(rest, {
    time: '2026-01-01T13:00:00+00:00',
    entry: '3',
    kind: 'swap',
    feeType: 'service',
    assetId: 'EUR:FIAT',
    assetCode: 'EUR',
    amount: '0.43',
  });
});

test('taxes as CSV: names are harmless in a spreadsheet, every row adds up, so do all', async () => {
  const { status, headers, text } = await get('/reports/taxes', '?format=csv');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="taxes.csv"');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('x-next-cursor'), null);
  const line = (id: string, hour: number) => `2026-01-01T${hour}:00:00+00:00,${id},,USD`;
  assert.equal(
    text,
    'time,checkoutId,customerId,billingCurrency,total,netTotal,' +
      'taxName,percent,taxableAmount,taxAmount,meta,tip\r\n' +
      `${line(taxed, 12)},124.95,105,'=VAT,0.19,105,19.95,,0\r\n` +
      `${line(taxed, 12)},0.53,0,"City, ""old""",0.005,105,0.53,,0\r\n` +
      `${line(converted, 13)},100,100,,,0,0,,0\r\n`,
  );
  const { report: shown } = await report('taxes');
  assert.deepEqual(
    shown.rows.map(({ taxName, taxAmount }) => [taxName, taxAmount]),
    [
      ['=VAT', '19.95'],
      ['City, "old"', '0.53'],
      [null, '0'],
    ],
  );
});

test('pages put together are the whole, as JSON and as CSV', async () => {
  for (const name of ['ledger', 'settlements', 'taxes']) {
    const whole = await report(name);
    const rows: Row[] = [];
    let csv = '';
    let query = '?limit=1';
    for (;;) {
      const page = await report(name, query);
      const written = await get(`/reports/${name}`, `${query}&format=csv`);
      assert.equal(written.headers.get('x-next-cursor'), page.nextCursor);
      const next = `cursor=${page.nextCursor}>; rel="next"`;
      assert.equal(written.headers.get('link')?.includes(next), page.nextCursor !== null);
      csv += written.text.slice(written.text.indexOf('\r\n') + 2);
      rows.push(...page.report.rows);
      if (page.nextCursor === null) break;
      query = `?limit=1&cursor=${page.nextCursor}`;
    }
    assert.deepEqual(rows, whole.report.rows);
    const { text } = await get(`/reports/${name}`, '?format=csv');
    assert.equal(csv, text.slice(text.indexOf('\r\n') + 2));
  }
});

const faults: [query: string, message: RegExp][] = [
  ['?from=yesterday', /from: must be a time like/],
  ['?from=-271821-04-20T00:00:00Z', /from: must be a time like/],
  ['?to=%2B275760-09-13T00:00:00Z', /to: must be a time like/],
  ['?to=2026-13-01', /to: must be a time like/],
  ['?to=2026-01-01T00:00:00', /to: must be a time like/],
  ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', /from: must not be after to/],
  ['?format=xml', /format: must be one of json, csv/],
  ['?limit=0', /limit: must be a whole number from 1 to 5000/],
  ['?limit=5001', /limit: must be a whole number from 1 to 5000/],
  ['?cursor=nonsense', /cursor: is not one of ours/],
];
for (const [query, message] of faults) {
  test(`a report that cannot be is refused: ${query}`, async () => {
    const refused = await get('/reports/ledger', query);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, message);
  });
}

test('there is no report without a name, or of another name', async () => {
  for (const path of ['/reports', '/reports/', '/reports/Ledger', '/reports/ledger/']) {
    assert.equal((await get(path)).status, 404);
  }
});

test('nobody sees the books of another merchant', async () => {
  const { app } = world;
  const { id: merchantId } = await createMerchant(app, { name: 'Other shop' });
  const other = await createApiKey(app, { merchantId, environment: 'test' });
  for (const path of PATHS) {
    const { status, text } = await get(path, '', other);
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text).report.rows, []);
  }
});

test('a key without the scope gets no report', async () => {
  const { app, caller } = world;
  const { merchantId } = caller;
  const scopes = ['read'] as const;
  const reader = await createApiKey(app, { merchantId, environment: 'test', scopes });
  for (const path of PATHS) assert.equal((await get(path, '', reader)).status, 403);
});

test('the books are right after all of it', async () => {
  const { app, clock } = world;
  assert.deepEqual(await checkInvariants(app.db, { now: clock.now() }), []);
});

test('what a reorganisation took back is a settlement of negative amounts', async () => {
  const { db } = world.app;
  const entries = await listEntriesOfSubject(db, converted);
  const occurredAt = world.clock.now();
  const reversal = { kind: 'checkout-reversal', cause: 'reorganisation', occurredAt };
  await db.transact(async (tx) => postEntries(tx, reverseEntries(entries, reversal)));
  const { report: shown } = await report('settlements');
  const { sourceAmount, amount, netAmount } = shown.rows.at(-1) ?? {};
  assert.deepEqual([sourceAmount, amount, netAmount], ['-1', '-0.001', '-0.001']);
  const { report: ledger } = await report('ledger');
  assert.equal(ledger.rows.at(-1)?.correctsEntry, String(entries[0]?.id));
  assert.deepEqual((await verifyLedger(db)).faults, []);
});

/** All pages of it, as one file. */
async function books(format: string, query: string): Promise<string> {
  const texts: string[] = [];
  let cursor = '';
  do {
    const { status, headers, text } = await get(
      '/reports/ledger',
      `?format=${format}&limit=1${query}${cursor}`,
    );
    assert.equal(status, 200, text);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    texts.push(text);
    const next = headers.get('x-next-cursor');
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  assert.ok(query !== '' || texts.length > 1, 'there are several pages');
  return texts.join('\n');
}

const BOOK_ACCOUNTS: Readonly<Record<string, string>> = {
  'merchant:available': 'Assets:Quittance:Available',
  'merchant:pending': 'Assets:Quittance:Pending',
  'merchant:reserved': 'Assets:Quittance:Reserved',
  'merchant:owed': 'Liabilities:Quittance:Owed',
};

for (const format of ['beancount', 'hledger']) {
  for (const query of ['', '&from=2026-01-01T12:30:00Z', '&to=2026-01-01T12:30:00Z']) {
    test(`as a journal of ${format}${query} the ledger ties to the balances to the unit`, async () => {
      const { sums, asserted } = parseJournal(await books(format, query));
      const { rows } = (await report('balances', query.replace('&', '?'))).report;
      assert.ok(rows.length > 0);
      for (const { account, assetCode, closing } of rows) {
        const [whole = '', part = ''] = (closing ?? '').split('.');
        const units = BigInt(whole + part.padEnd(18, '0'));
        const key = `${BOOK_ACCOUNTS[account ?? '']} ${assetCode}`;
        assert.equal(sums.get(key) ?? 0n, units, key);
        assert.equal(asserted.get(key), units, key);
      }
    });
  }
}

test('every form in which a report is answered is announced', async () => {
  const { paths } = inlineReferences(openApiDocument(ROUTES, 'https://pay.example'));
  const ledger = ['json', 'csv', ...BOOK_FORMATS].map((format) => ['ledger', format] as const);
  for (const [name, format] of [...ledger, ['fees', 'csv'] as const]) {
    const asset = ['xero', 'quickbooks', 'camt053'].includes(format) ? '&asset=EUR:FIAT' : '';
    const { headers } = await get(`/reports/${name}`, `?format=${format}${asset}`);
    const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
    const announced = paths[`/reports/${name}`]?.get?.responses['200']?.content ?? {};
    assert(Object.hasOwn(announced, mediaType), `${name} as ${format}: ${mediaType}`);
  }
  const fees = paths['/reports/fees']?.get?.responses['200']?.content ?? {};
  assert.deepEqual(Object.keys(fees), ['application/json', 'text/csv']);
});

test('only the ledger is a journal', async () => {
  const { status } = await get('/reports/fees', '?format=beancount');
  assert.equal(status, 400);
});

test('the statement of an asset ties to its balance, and is of money of banks alone', async () => {
  const query = '?format=camt053&asset=EUR:FIAT';
  const { status, headers, text } = await get('/reports/ledger', query);
  assert.equal(status, 200, text);
  assert.match(headers.get('content-type') ?? '', /^application\/xml/);
  const [read] = readStatements(new TextEncoder().encode(text));
  assert.deepEqual([read?.balances?.openingUnits, read?.balances?.closingUnits], [0n, 8652n]);
  assert.deepEqual(
    read?.entries.map(({ side, units }) => [side, units]),
    [['CRDT', 8652n]],
  );
  for (const format of ['xero', 'quickbooks']) {
    const { text: csv } = await get('/reports/ledger', `?format=${format}&asset=EUR:FIAT`);
    assert.match(csv, /86\.52/);
  }
  const before = `${query}&to=2026-01-01T12:30:00Z`;
  const [empty] = readStatements(
    new TextEncoder().encode((await get('/reports/ledger', before)).text),
  );
  assert.deepEqual([empty?.balances?.closingUnits, empty?.entries.length], [0n, 0]);
  for (const asset of ['', '&asset=LTC:NATIVE', '&asset=XYZ:FIAT', '&asset=:FIAT']) {
    const refused = await get('/reports/ledger', `?format=xero${asset}`);
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.get('x-error-code'), 'asset_required');
  }
});
