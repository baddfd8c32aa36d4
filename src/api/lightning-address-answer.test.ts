// Lightning addresses on the simulated network, asked as a wallet asks them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decode } from 'light-bolt11-decoder';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { listInstructions } from '#deposit/deposit-instruction.ts';
import { encodeLnurl } from '#networks/payment-uri.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { createLightningAddressAnswer } from './lightning-address-answer.ts';

const ORIGIN = 'http://pay.example';
const PATH = '/.well-known/lnurlp/';
const UNLIMITED = { perKey: 0, perAddress: 0 };

let api: TestApi;
let answer: ReturnType<typeof createLightningAddressAnswer>;
before(async () => {
  api = await openTestApi({ simulated: true });
  answer = createLightningAddressAnswer(api.app, UNLIMITED);
  // A chain is read from where it stands when it is looked at first.
  await settleSandbox(api.app);
});
after(() => api.close());

async function openAddress(network = 'LIGHTNING'): Promise<string> {
  const made = await api.call('POST', '/deposit-address', {
    body: { network, label: 'Mr Secret' },
  });
  assert.equal(made.status, 200, made.text);
  return String(made.json?.depositAddress?.id);
}

async function ask(rest: string, method = 'GET', client = '192.0.2.1') {
  const response = await answer(new Request(`${ORIGIN}${PATH}${rest}`, { method }), client);
  const { status, headers } = response;
  return { status, headers, json: (await response.json()) as Record<string, unknown> };
}

function section(invoice: string, name: string): unknown {
  const found = decode(invoice).sections.find((one) => one.name === name);
  return found !== undefined && 'value' in found ? found.value : undefined;
}

async function invoiceFor(id: string, millisatoshis: number): Promise<string> {
  const { status, json } = await ask(`${id}/callback?amount=${millisatoshis}`);
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(Object.keys(json), ['pr', 'routes']);
  assert.deepEqual(json.routes, []);
  return String(json.pr);
}

function payInvoice(invoice: string, units: bigint) {
  const destination = String(section(invoice, 'payment_hash'));
  const outputs = [{ destination, assetId: 'BTC:NATIVE', units }];
  return paySandbox(api.app, { chain: chainOf('test', 'LIGHTNING'), outputs });
}

async function completed(id: string): Promise<{ tx: string; amount: string; address: string }[]> {
  await api.app.sandbox?.mine(undefined, { network: 'LIGHTNING', blocks: 2 });
  await settleSandbox(api.app);
  const { json } = await api.call('GET', '/events', { query: '?type=DEPOSIT_COMPLETED&limit=100' });
  const events = json?.events as unknown as { data: { deposit: Record<string, string> } }[];
  return events
    .map(({ data }) => data.deposit)
    .filter(({ depositAddressId }) => depositAddressId === id)
    .map(({ tx = '', amount = '', address = '' }) => ({ tx, amount, address }));
}

test('a deposit address on Lightning is a Lightning address and its LNURL', async () => {
  const made = await api.call('POST', '/deposit-address', { body: { network: 'LIGHTNING' } });
  const id = String(made.json?.depositAddress?.id);
  const lnurl = encodeLnurl(`${ORIGIN}${PATH}${id}`);
  assert.deepEqual(made.json?.depositAddress, {
    id,
    network: 'LIGHTNING',
    assetId: 'BTC:NATIVE',
    address: `${id}@pay.example`,
    memo: null,
    memoType: null,
    paymentUri: `lightning:${lnurl}`,
    lightningAddress: `${id}@pay.example`,
    lnurl,
    label: null,
    webhook: null,
    timestamp: '2026-11-21T10:00:00+00:00',
  });
  const shown = await api.call('GET', '/deposit-address', { query: `?id=${id}` });
  assert.equal(shown.text, made.text);
});

test('a wallet is told what it may send and to whom (LUD-06, LUD-16), and nothing else', async () => {
  const id = await openAddress();
  const { status, headers, json } = await ask(id);
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('content-type'), 'application/json');
  assert.deepEqual(json, {
    tag: 'payRequest',
    callback: `${ORIGIN}${PATH}${id}/callback`,
    minSendable: 1000,
    maxSendable: 9_007_199_254_740_000,
    metadata: `[["text/plain","Payment to Book shop"],["text/identifier","${id}@pay.example"]]`,
    commentAllowed: 0,
  });
});

test('the invoice asks for the amount and holds the hash of the metadata', async () => {
  const id = await openAddress();
  const { json } = await ask(id);
  const invoice = await invoiceFor(id, 21_000);
  const hash = createHash('sha256').update(String(json.metadata), 'utf8').digest('hex');
  assert.equal(section(invoice, 'description_hash'), hash);
  assert.equal(section(invoice, 'description'), undefined);
  assert.equal(section(invoice, 'amount'), '21000');
  const { expiry = 0 } = decode(invoice);
  const end = Number(section(invoice, 'timestamp')) + expiry;
  assert.equal(end * 1000, api.clock.now().add({ minutes: 10 }).epochMilliseconds);
});

test('an address is paid any number of times, each payment credited and told once', async () => {
  const id = await openAddress();
  const invoices = [await invoiceFor(id, 1000), await invoiceFor(id, 2_500_000)];
  const unpaid = await invoiceFor(id, 7_000_000);
  assert.equal(new Set([...invoices, unpaid]).size, 3);
  await payInvoice(invoices[0] ?? '', 1n);
  await payInvoice(invoices[1] ?? '', 2500n);
  await assert.rejects(payInvoice(invoices[0] ?? '', 1n), /paid once/);
  const told = await completed(id);
  assert.deepEqual(told.map(({ amount }) => amount).sort(), ['1', '2500']);
  const hashes = invoices.map((invoice) => section(invoice, 'payment_hash'));
  assert.deepEqual(new Set(told.map(({ tx }) => tx)).size, 2);
  assert.ok(told.every(({ address }) => address === `${id}@pay.example`));
  const receipts = await api.db.query<{ destination: string }>(sql`
    select destination from receipt where purpose_id = ${id} order by id`);
  assert.deepEqual(receipts.map(({ destination }) => destination).sort(), hashes.sort());
  assert.equal((await completed(id)).length, 2);
});

test('the sandbox pays a Lightning address like any other deposit address', async () => {
  const id = await openAddress();
  for (const amount of ['5', '5']) {
    const body = { depositAddressId: id, amount };
    const paid = await api.call('POST', '/sandbox/pay', { body });
    assert.equal(paid.status, 200, paid.text);
  }
  assert.deepEqual(
    (await completed(id)).map(({ amount }) => amount),
    ['5', '5'],
  );
});

test('what is read for an address does not grow with its invoices', async () => {
  const id = await openAddress();
  for (let made = 0; made < 5; made += 1) await invoiceFor(id, 1000);
  const { json } = await api.call('GET', '/deposit-address', { query: `?id=${id}` });
  assert.equal(json?.depositAddress?.address, `${id}@pay.example`);
  const [row] = await api.db.query<{ others: bigint; itself: bigint }>(sql`
    select count(*) filter (where is_address_invoice) as others,
      count(*) filter (where not is_address_invoice) as itself
    from deposit_instruction where purpose_id = ${id}`);
  assert.deepEqual(row, { others: 5n, itself: 1n });
  assert.equal((await listInstructions(api.app, api.db, 'deposit-address', id)).length, 1);
});

const NO_ADDRESS = { status: 'ERROR', reason: 'there is no such Lightning address' };

test('an unknown address is an ERROR with status 404, whatever it is instead', async () => {
  const bitcoin = await openAddress('BITCOIN');
  const known = await openAddress();
  const wrong = ['aaaaaaaaaaaa', 'satoshi', '', bitcoin, `${known}/`, `${known}/callback/`, '%00'];
  for (const rest of [...wrong, known.toUpperCase(), `${bitcoin}/callback?amount=1000`]) {
    const { status, json, headers } = await ask(rest);
    assert.equal(status, 404, rest);
    assert.deepEqual(json, NO_ADDRESS);
    assert.equal(headers.get('access-control-allow-origin'), '*');
  }
});

test('an amount that is none, or out of range, is refused with the reason', async () => {
  const id = await openAddress();
  const whole = 'amount: must be a whole number of millisatoshi';
  const cases: [string, string][] = [
    ['', whole],
    ['?amount=', whole],
    ['?amount=0', whole],
    ['?amount=-1000', whole],
    ['?amount=1000.5', whole],
    ['?amount=1e3', whole],
    ['?amount=0x3e8', whole],
    ['?amount=99999999999999999999', whole],
    ['?amount=1000&amount=2000', whole],
    ['?amount=999', 'amount: must be whole satoshi, a multiple of 1000'],
    ['?amount=1001', 'amount: must be whole satoshi, a multiple of 1000'],
    [
      '?amount=9007199254741000',
      'amount: must be from 1000 to 9007199254740000 millisatoshi at the moment',
    ],
  ];
  for (const [query, reason] of cases) {
    const { status, json } = await ask(`${id}/callback${query}`);
    assert.equal(status, 400, query);
    assert.deepEqual(json, { status: 'ERROR', reason });
  }
});

test('only GET is answered', async () => {
  const id = await openAddress();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await ask(`${id}/callback?amount=1000`, method);
    assert.equal(status, 405);
    assert.equal(headers.get('allow'), 'GET');
  }
});

test('one client, and all clients of one address, are told to wait', async () => {
  const id = await openAddress();
  const other = await openAddress();
  const usual = answer;
  try {
    answer = createLightningAddressAnswer(api.app, { perKey: 3, perAddress: 5 });
    const call = async (address: string, client: string) => {
      const asked = await ask(`${address}/callback?amount=1000`, 'GET', client);
      return asked.status;
    };
    for (let turn = 0; turn < 3; turn += 1) assert.equal(await call(id, '192.0.2.1'), 200);
    // The address has had its three; another one is not touched by it.
    assert.equal(await call(id, '192.0.2.2'), 429);
    assert.equal(await call(other, '192.0.2.1'), 200);
    assert.equal(await call(other, '192.0.2.1'), 200);
    const refused = await ask(other, 'GET', '192.0.2.1');
    assert.equal(refused.status, 429);
    const seconds = Number(refused.headers.get('retry-after'));
    const reason = `too many requests: ask again in ${seconds} seconds`;
    assert.deepEqual(refused.json, { status: 'ERROR', reason });
    await api.clock.advance(seconds * 1000);
    assert.equal((await ask(other, 'GET', '192.0.2.1')).status, 200);
  } finally {
    answer = usual;
  }
});

test('a live address is refused where wallets could not ask for it', async () => {
  const refused = await api.call('POST', '/deposit-address', {
    key: api.liveKey,
    body: { network: 'LIGHTNING' },
  });
  assert.equal(refused.status, 400);
  assert.equal(refused.headers.get('x-error-code'), 'network_without_addresses');
  assert.match(refused.text, /https/);
});
