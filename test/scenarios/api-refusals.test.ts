// Every refusal of the API as a whole answer, each code at least once: api-refusals.golden.json.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allowAddress, allowAnyCaller } from '#access/allow-list.ts';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { BASE_PATH } from '#api/endpoint.ts';
import { listErrorCodes } from '#api/error-codes.ts';
import { tryLockKey } from '#api/http/answer-once.ts';
import { createApi } from '#api/http/create-api.ts';
import { startServer } from '#api/http/server.ts';
import { ROUTES } from '#api/routes.ts';
import { silentLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { type GoldenAnswers, goldenAnswers, keptAnswers } from '#test/support/golden-answers.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';

const fileOf = (name: string) => join(import.meta.dirname, name);
const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
const MISSING = 'aaaaaaaaaaaa';
const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

let api: TestApi;
let golden: GoldenAnswers;
let other: NewApiKey;
before(async () => {
  api = await openTestApi({ simulated: true });
  golden = goldenAnswers(fileOf('api-refusals.golden.json'), api);
  other = await api.otherMerchant();
  const { merchantId } = api;
  for (const environment of ['test', 'live'] as const) {
    await allowAddress(
      api.app,
      { merchantId, environment },
      {
        use: 'withdrawals',
        address: '127.0.0.1',
      },
    );
  }
  await settleSandbox(api.app);
});
after(() => api.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The answer to what is refused with this code; each signature is a new one. */
async function refuse(
  code: string,
  method: Method,
  path: string,
  input: object | string = '',
  options: CallOptions = {},
): Promise<void> {
  await api.clock.advance(1000);
  const sent = method === 'GET' ? { query: String(input) } : { body: input };
  const called = await golden.record(code, method, path, { ...sent, ...options });
  assert.equal(called.headers.get('x-error-code'), code, called.text);
  assert.match(called.headers.get('x-request-id') ?? '', /^[a-z0-9]{12}$/);
}

async function post(path: string, body: object, options: CallOptions = {}) {
  await api.clock.advance(1000);
  const { status, text, json } = await api.call('POST', path, { body, ...options });
  assert.equal(status, 200, `${path}: ${text}`);
  return json;
}

const create = async (more: object = {}) =>
  String((await post('/checkout', { charge, ...more })).id);

async function pay(checkoutId: string, more: object = {}, blocks = 4): Promise<void> {
  await post('/sandbox/pay', { checkoutId, network: 'LITECOIN', ...more });
  if (blocks > 0) await post('/sandbox/mine', { network: 'LITECOIN', blocks });
  await settleSandbox(api.app);
}

async function refuseCallers(): Promise<void> {
  await refuse('authentication_failed', 'GET', '/auth-test', '', { auth: 'none' });
  await refuse('method_not_accepted', 'POST', '/swap', {}, { auth: 'basic' });
  await refuse('allow_list_empty', 'POST', '/swap', {}, { key: other });
  const { id: merchantId } = (
    await api.db.query<{ id: string }>(
      sql`select merchant_id as id from api_key where key = ${other.key}`,
    )
  )[0] ?? { id: '' };
  const owner = { merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'calls', address: '192.0.2.0/24' });
  await refuse('address_not_allowed', 'GET', '/auth-test', '', { key: other });
  await allowAnyCaller(api.app, owner);
  const reader = await createApiKey(api.app, { ...owner, scopes: ['read'] });
  await refuse('scope_missing', 'POST', '/checkout', { charge }, { key: reader });
  await refuse('test_key_required', 'POST', '/sandbox/mine', {}, { key: api.liveKey });
  await refuse('version_unknown', 'GET', '/auth-test', '', {
    headers: { 'quittance-version': '1999-01-01' },
  });
  await refuse('route_missing', 'GET', '/nothing');
  await refuse('method_not_allowed', 'DELETE', '/checkout', {});
}

async function refuseBodies(): Promise<void> {
  await refuse('json_malformed', 'POST', '/checkout', '{"a":1,"a":2}');
  for (const body of ['{"__proto__":1}', '"\\ud800"', '"\\u0000"', '['.repeat(21), '{"a":01}']) {
    await refuse('json_malformed', 'POST', '/checkout', body);
  }
  await refuse('validation_failed', 'POST', '/checkout', { charge: { ...charge, lineItem: 1 } });
  await refuse('validation_failed', 'POST', '/checkout', '[1]');
  await refuse('validation_failed', 'GET', '/checkouts', '?from=x&limit=0&state=PAID&state=NEW');
  await refuse('body_too_large', 'POST', '/checkout', `"${'x'.repeat(256 * 1024)}"`);
  const gzip = { headers: { 'content-encoding': 'gzip' } };
  await refuse('content_encoding', 'POST', '/checkout', { charge }, gzip);
  await refuse('cursor_invalid', 'GET', '/events', '?cursor=x');
}

async function refuseRepeats(): Promise<void> {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  await refuse('idempotency_key_malformed', 'POST', '/checkout', { charge }, keyed('ä'));
  await post('/checkout', { charge }, keyed('one'));
  await refuse('idempotency_key_reused', 'POST', '/checkout', { charge, meta: {} }, keyed('one'));
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await api.db.transact(async (tx) => {
    assert.ok(await tryLockKey(tx, owner, 'two'));
    await refuse('idempotency_key_running', 'POST', '/checkout', { charge }, keyed('two'));
  });
  for (let times = 0; times < 20; times += 1) await api.call('POST', '/customer', { body: {} });
  await golden.record('signature_repeated', 'POST', '/customer', { body: {} });
  await api.call('POST', '/swap', { body: {} });
  await golden.record('signature_used', 'POST', '/swap', { body: {} });
}

async function refuseCheckouts(): Promise<void> {
  const commit = '/checkout/commit';
  await refuse('checkout_missing', 'GET', '/checkout', `?id=${MISSING}`);
  await refuse('customer_missing', 'GET', '/customer', `?id=${MISSING}`);
  const tiny = { billingCurrency: 'IDR', lineItems: [{ description: 'x', netAmount: '0.01' }] };
  // By bank a cent can be paid; nothing of it is left when a fee is taken.
  await api.db.single((tx) =>
    tx.query(sql`update merchant set fee_parts_per_million = 10000
      where id = (select merchant_id from api_key where key = ${other.key})`),
  );
  const sepa = { charge: tiny, settlementAsset: 'EUR:FIAT' };
  await refuse('no_payment_method', 'POST', '/checkout', sepa, { key: other });
  const id = await create();
  const moon = { checkoutId: id, network: 'MOON' };
  await refuse('payment_method_unknown', 'POST', commit, moon);
  // As if there had been no rate for ETH when it was quoted: no default is left to choose.
  await api.db.single((tx) =>
    tx.query(sql`update checkout set offers = replace(offers, 'ETH:NATIVE', 'BTC:NATIVE')
      where id = ${id}`),
  );
  await refuse('asset_required', 'POST', commit, { checkoutId: id, network: 'ETHEREUM' });
  await refuse('checkout_not_underpaid', 'POST', '/checkout/accept-underpaid', { checkoutId: id });
  await refuse('checkout_not_paid', 'POST', '/refund', { checkoutId: id, kind: 'full' });
  await refuse('transaction_not_replaceable', 'POST', '/sandbox/replace', { checkoutId: id });
  const bits = { checkoutId: id, network: 'LITECOIN', amount: '0.00000001', parts: 20 };
  await refuse('payment_invalid', 'POST', '/sandbox/pay', bits);
  await pay(id, { amount: '0.01' }, 0);
  await refuse('checkout_has_money', 'POST', '/checkout/cancel', { checkoutId: id });
  const cancelled = await create();
  await post('/checkout/cancel', { checkoutId: cancelled });
  const late = { checkoutId: cancelled, network: 'LITECOIN' };
  await refuse('checkout_cancelled', 'POST', commit, late);
  const asks = [{ key: 'name', label: 'Name', required: true }];
  const asked = await create({ pageSettings: { asks } });
  const choice = { checkoutId: asked, network: 'LITECOIN' };
  await refuse('answers_missing', 'POST', commit, choice);
  await post(commit, { ...choice, answers: { name: 'Ada' } });
  await refuse('answers_fixed', 'POST', commit, { ...choice, answers: { name: 'Bob' } });
  const invoice = { checkoutId: await create(), network: 'LIGHTNING' };
  await post('/sandbox/pay', invoice);
  await refuse('invoice_paid', 'POST', '/sandbox/pay', invoice);
}

async function refuseRefunds(): Promise<void> {
  const checkoutId = await create();
  await pay(checkoutId);
  const refund = (code: string, body: object) =>
    refuse(code, 'POST', '/refund', { checkoutId, kind: 'full', ...body });
  await refuse('checkout_completed', 'POST', '/checkout/cancel', { checkoutId });
  await refund('address_invalid', { address: 'nowhere' });
  await refund('nothing_to_refund', { kind: 'excess' });
  await refund('amount_invalid', { kind: 'amount', amount: '0.000000001' });
  await refund('refund_exceeds_payment', { kind: 'amount', amount: '1', address: PAYER });
  await refuse('refund_missing', 'GET', '/refund', `?id=${MISSING}`);
  const little = await create();
  await pay(little, { amount: '0.000001' });
  await refund('refund_only_full', { checkoutId: little, kind: 'excess' });
  await refund('amount_too_small', { checkoutId: little });
  const lost = await create();
  await pay(lost, {}, 3);
  await post('/sandbox/reorg', { network: 'LITECOIN', depth: 3 });
  await settleSandbox(api.app);
  await refund('payment_uncertain', { checkoutId: lost });
  await refuse('depth_invalid', 'POST', '/sandbox/reorg', { network: 'STELLAR', depth: 30 });
}

async function refuseTransfers(): Promise<void> {
  const account = { address: PAYER };
  const beneficiary = { label: 'Savings', network: 'LITECOIN', account };
  const { beneficiaryId } = await post('/beneficiary', { beneficiary });
  const transfer = { network: 'LITECOIN', amount: '0.01', targetAccount: 'Savings' };
  const quote = (code: string, body: object, options?: CallOptions) =>
    refuse(code, 'POST', '/transfer', { ...transfer, ...body }, options);
  await refuse('label_taken', 'POST', '/beneficiary', { beneficiary });
  await quote('beneficiary_missing', { targetAccount: 'nobody' });
  await quote('beneficiary_elsewhere', { network: 'BITCOIN' });
  await quote('asset_unknown', { asset: 'BTC:NATIVE' });
  await quote('amount_invalid', { amount: '0.000000001' });
  await quote('amount_too_small', { amount: '0.000005' });
  await refuse('transfer_missing', 'GET', '/transfer', `?id=${MISSING}`);
  const idOf = async (amount: string) => {
    const { transfer: made } = await post('/transfer', { ...transfer, amount });
    return { transferId: String(made?.id) };
  };
  const commit = '/transfer/commit';
  await refuse('balance_too_low', 'POST', commit, await idOf('1000'));
  const old = await idOf('0.01');
  await api.clock.advance(600_000);
  await refuse('transfer_expired', 'POST', commit, old);
  await refuse('transfer_not_to_send', 'POST', '/transfer/cancel', old);
  const shown = await idOf('0.01');
  await api.app.db.single((tx) =>
    tx.query(sql`update transfer set state = 'TO_SEND', by_hand = true, shown_at = created_at
      where id = ${shown.transferId}`),
  );
  await refuse('transfer_shown', 'POST', '/transfer/cancel', shown);
  await api.app.db.single((tx) =>
    tx.query(sql`
      update transfer set shown_at = null, units = units + 1, target_units = target_units + 1
      where id = ${shown.transferId}`),
  );
  await refuse('transfer_changed', 'POST', '/transfer/cancel', shown);
  const signed = await idOf('0.01');
  await api.app.db.single((tx) =>
    tx.query(sql`update transfer set state = 'RESERVED', transaction = 'signed'
      where id = ${signed.transferId}`),
  );
  await refuse('transfer_signed', 'POST', '/transfer/cancel', signed);
  const orphan = await idOf('0.01');
  await api.call('DELETE', '/beneficiary', { body: { id: beneficiaryId } });
  await refuse('beneficiary_deleted', 'POST', commit, orphan);
  const bank = { iban: 'DE89370400440532013000', holder: 'Ada Lovelace' };
  const live = { label: 'Bank', network: 'SEPA', account: bank };
  const options = { key: api.liveKey };
  await post('/beneficiary', { beneficiary: live }, options);
  const toBank = { network: 'SEPA', targetAccount: 'Bank' };
  await quote('beneficiary_too_new', toBank, options);
  await api.clock.advance(86_400_000);
  await quote('executor_missing', toBank, options);
}

async function refuseSettlementRules(): Promise<void> {
  await refuse('settlement_rule_missing', 'GET', '/settlement-rule', `?id=${MISSING}`);
  await refuse('validation_failed', 'POST', '/settlement-rule', {
    ...{ asset: 'BTC:NATIVE', keep: '0.000000001', convertTo: 'BTC:NATIVE', network: 'LITECOIN' },
    schedule: { every: 'DAY', day: 3, hour: 8, zone: '+01:00' },
  });
}

async function refuseSwaps(): Promise<void> {
  const swap = { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE', sourceAmount: '1' };
  const quote = async () => ({ swapId: String((await post('/swap', swap)).swap?.id) });
  await refuse('balance_too_low', 'POST', '/swap/commit', await quote());
  const old = await quote();
  await api.clock.advance(60_000);
  await refuse('swap_expired', 'POST', '/swap/commit', old);
  await refuse('swap_missing', 'GET', '/swap', `?id=${MISSING}`);
  await refuse('exchange_missing', 'POST', '/swap', swap, { key: api.liveKey });
  const limit = { kind: 'DAY', measure: 'BTC:NATIVE', amount: '0.5' };
  await api.call('PUT', '/spending-limit', { body: limit });
  await refuse('limit_not_lower', 'PUT', '/spending-limit', { ...limit, amount: '0.6' });
  await refuse('spending_limit', 'POST', '/swap/commit', await quote());
  const both = { kind: 'TWO_PEOPLE', measure: 'BTC:NATIVE', amount: '0.1' };
  await api.call('PUT', '/spending-limit', { body: both });
  await refuse('second_person', 'POST', '/swap/commit', await quote());
  await refuse('approval_missing', 'POST', '/approval', { subject: `transfer:${MISSING}` });
  Object.assign(api.app, { exposureLimitUsd: parseDecimal('1') });
  for (const code of ['XLM', 'XRP']) {
    const price = { id: 1n, code, usdPrice: parseDecimal('2'), observedAt: api.clock.now() };
    api.app.rates.remember([{ environment: 'live', ...price }]);
  }
  const above = { sourceAsset: 'XLM:NATIVE', targetAsset: 'XRP:NATIVE', sourceAmount: '1' };
  await refuse('conversion_not_covered', 'POST', '/swap', above, { key: api.liveKey });
  Object.assign(api.app, { exposureLimitUsd: undefined });
  await refuse('amount_too_small', 'POST', '/swap', {
    ...{ sourceAsset: 'LTC:NATIVE', targetAsset: 'BTC:NATIVE', sourceAmount: '0.00000001' },
  });
  await refuse('validation_failed', 'POST', '/swap', { sourceAsset: 'NONE' });
  await refuse('validation_failed', 'GET', '/exchange-rate', '?sourceAsset=NONE');
  const rate = (amount: string) => `?sourceAsset=BTC&targetAsset=KRW&sourceAmount=${amount}`;
  await refuse('rate_missing', 'GET', '/exchange-rate', rate('1'), { key: api.liveKey });
}

/** What an operator has not set is named, as is the setting. */
async function refuseUnconfigured(): Promise<void> {
  const create = (code: string) =>
    refuse(code, 'POST', '/checkout', { charge }, { key: api.liveKey });
  await create('networks_not_configured');
  const { networks, sandbox } = api.app;
  const simulated = networks.get('test:LITECOIN');
  assert.ok(simulated !== undefined);
  networks.set('live:LITECOIN', { ...simulated, chain: 'live:LITECOIN' });
  Object.assign(api.app, { hasPriceSources: false });
  await create('prices_not_configured');
  Object.assign(api.app, { hasPriceSources: true });
  await create('no_payment_method');
  networks.delete('live:LITECOIN');
  Object.assign(api.app, { sandbox: undefined });
  await refuse('sandbox_off', 'POST', '/sandbox/mine', {});
  Object.assign(api.app, { sandbox });
}

async function refuseDeposits(): Promise<void> {
  const ask = (code: string, body: object, options?: CallOptions) =>
    refuse(code, 'POST', '/deposit-address', body, options);
  await refuse('deposit_address_missing', 'GET', '/deposit-address', `?id=${MISSING}`);
  await ask('network_unknown', { network: 'MOON' });
  // Nobody reaches a live Lightning address under a PUBLIC_URL without https.
  await ask('network_without_addresses', { network: 'LIGHTNING' }, { key: api.liveKey });
  await ask('asset_not_receivable', { network: 'BITCOIN', asset: 'LTC:NATIVE' });
  await ask('network_missing', { network: 'BITCOIN' }, { key: api.liveKey });
  await refuseUnconfigured();
}

async function refuseEvents(): Promise<void> {
  const endpoint = '/webhook-endpoint';
  const url = 'https://shop.example/all';
  await refuse('webhook_endpoint_missing', 'DELETE', endpoint, { id: MISSING });
  const { webhookEndpoint } = await post(endpoint, { url });
  await api.call('DELETE', endpoint, { body: { id: webhookEndpoint?.id } });
  const deleted = { webhookEndpointId: webhookEndpoint?.id, overlapHours: 0 };
  await refuse('endpoint_disabled', 'POST', `${endpoint}/rotate-secret`, deleted);
  for (let made = 0; made < 20; made += 1) await post(endpoint, { url }, { key: other });
  await refuse('webhook_endpoints_too_many', 'POST', endpoint, { url }, { key: other });
  const redeliver = (code: string, id: string) =>
    refuse(code, 'POST', `/events/${id}/redeliver`, {});
  await redeliver('event_missing', MISSING);
  await refuse('event_missing', 'GET', '/event', `?id=${MISSING}`);
  await refuse('event_missing', 'GET', '/events/follow', `?after=${MISSING}`);
  await refuse('request_missing', 'GET', '/request', `?id=${MISSING}`);
  const newest = async () => {
    const { json } = await api.call('GET', '/events', { query: '?limit=1' });
    return String((json.events as unknown as { id: string }[])[0]?.id);
  };
  await post('/checkout/cancel', { checkoutId: await create() });
  await redeliver('event_without_receiver', await newest());
  await post('/checkout/cancel', { checkoutId: await create({ webhook: url }) });
  const told = await newest();
  await redeliver('delivery_pending', told);
  await api.db.single((tx) =>
    tx.query(sql`update webhook_delivery set state = 'PARKED', finished_at = created_at`),
  );
  await api.clock.advance(61 * 86_400_000);
  await redeliver('event_too_old', told);
}

/** What the server is unable to do, and for whom it has done enough. */
async function refuseOurselves(): Promise<void> {
  const limits = { perKey: 1, perAddress: 0 };
  const limited = createApi({ ...api.app, config: { ...api.app.config, rateLimits: limits } });
  const failing = (failure: Error) =>
    createApi({ ...api.app, db: { ...api.app.db, query: () => Promise.reject(failure) } });
  const apis = [
    ['rate_limited', limited],
    ['unavailable', failing(new Outage('database'))],
    ['internal', failing(new TypeError('a secret'))],
  ] as const;
  for (const [code, broken] of apis) {
    const headers = api.sign('GET', '/auth-test');
    const ask = () => broken.fetch(new Request(`http://a${BASE_PATH}/auth-test`, { headers }), {});
    if (code === 'rate_limited') await ask();
    const answer = await ask();
    const retryAfter = answer.headers.get('retry-after');
    const requestId = answer.headers.get('x-request-id') ?? '';
    golden.keep({
      name: code,
      request: `GET ${BASE_PATH}/auth-test`,
      status: answer.status,
      errorCode: answer.headers.get('x-error-code') ?? '',
      ...(retryAfter === null ? {} : { retryAfter }),
      answer: JSON.parse((await answer.text()).replace(requestId, '<request id>')),
    });
  }
}

/** Below the level of requests: as bytes, each on a connection of its own. */
const BYTES: readonly (readonly [code: string, bytes: string])[] = [
  ['http_malformed', 'what is this\r\n\r\n'],
  ['host_missing', 'GET /api/v1/time HTTP/1.1\r\n\r\n'],
  ['target_malformed', 'GET http://pay.example/api/v1/time HTTP/1.1\r\nHost: pay.example\r\n\r\n'],
  ['body_not_allowed', 'GET /api/v1/time HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{"a":1}'],
  ['body_timeout', 'POST /api/v1/checkout HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'],
  ['request_timeout', 'GET /api/v1/time HTTP/1.1\r\nHost'],
  ['headers_too_large', `GET /api/v1/time HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
];

async function refuseBytes(): Promise<void> {
  const fetch = (request: Request, bindings: object) => api.api.fetch(request, bindings);
  const timeouts = { headersMs: 2_000, bodyMs: 1_000, idleMs: 1_000, stalledMs: 50_000 };
  const { random } = api.app;
  const server = await startServer({
    ...{ fetch, random, timeouts, port: 0, host: '127.0.0.1', log: silentLog },
  });
  try {
    for (const [code, bytes] of BYTES) {
      const answer = await send(server.port, bytes);
      golden.keep({ name: code, request: bytes.slice(0, 200), ...answer });
      assert.equal(answer.errorCode, code);
    }
  } finally {
    await server.close();
  }
}

function send(port: number, bytes: string) {
  const received: string[] = [];
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.write(bytes);
  return new Promise<{ status: number; errorCode: string; answer: unknown }>((resolve) => {
    socket.on('data', (chunk) => {
      received.push(String(chunk));
      const text = received.join('');
      if (!text.includes('{"errors"') || !text.includes('}')) return;
      socket.destroy();
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
        errorCode: /\r\nx-error-code: (\w+)/i.exec(text)?.[1] ?? '',
        answer: JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
      });
    });
  });
}

test('every refusal is what it was', async () => {
  await refuseCallers();
  await refuseBodies();
  await refuseRepeats();
  await refuseCheckouts();
  await refuseRefunds();
  await refuseTransfers();
  await refuseSwaps();
  await refuseDeposits();
  await refuseOurselves();
  await refuseEvents();
  await refuseBytes();
  await refuseSettlementRules();
  await golden.compare();
});

/** Not answered over simulated networks, each with its reason. */
const NOT_ANSWERED = [
  // A real Lightning node says how much it can receive.
  'amount_not_receivable',
  // No price there is leads to a number of 78 digits.
  'amount_out_of_range',
  // Whoever sent it has gone.
  'body_incomplete',
  // Two redeliveries in one moment.
  'delivery_unknown',
  // Told on the page of the payer.
  'refund_claimed',
  'payment_taken_back',
  'network_fee_high',
  // Told in the dashboard, where refunds are looked at first and people order transfers.
  'refund_changed',
  'quote_of_another',
  // What sending costs on a simulated network is always known.
  'network_fee_unknown',
  // A Lightning invoice ends after its beneficiary was made.
  'invoice_expired',
  // No anchor stands between in the sandbox.
  'payee_pending',
];

test('every route and every code of the document is among the kept answers', async () => {
  const names = ['api-answers', 'api-account-answers', 'api-refusals'];
  const files = await Promise.all(names.map((name) => keptAnswers(fileOf(`${name}.golden.json`))));
  const kept = files.flat();
  const answered = new Set(
    kept
      .filter(({ status }) => status === 200)
      .map(({ request }) => request.replace(/\?.*/, '').replace(/\/[a-z0-9]{12}\//, '/{id}/')),
  );
  const routes = ROUTES.map(({ method, path }) => `${method} ${BASE_PATH}${path}`);
  const isText = (route: string) => route.endsWith('/openapi.json');
  assert.deepEqual(
    routes.filter((route) => !answered.has(route) && !isText(route)),
    [],
  );
  const refused = new Set(kept.map(({ status, errorCode }) => `${status} ${errorCode}`));
  const codes = listErrorCodes().filter(({ code }) => !NOT_ANSWERED.includes(code));
  assert.deepEqual(
    codes.map(({ status, code }) => `${status} ${code}`).filter((code) => !refused.has(code)),
    [],
  );
});
