import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ChainId } from '#catalog/chain.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { sql } from '#db/db.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { requestSettlement } from '#settle/queue.ts';
import { findEventFault } from '#test/support/check-event.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  await look();
});
after(() => api.close());

const chain: ChainId = 'test:LITECOIN';
const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

async function post(path: string, body: object, options: CallOptions = {}) {
  const called = await api.call('POST', path, { ...options, body });
  assert.equal(called.status, 200, called.text);
  return called.json;
}

async function create(more: object = {}, options: CallOptions = {}): Promise<string> {
  return String((await post('/checkout', { charge, ...more }, options)).id);
}

/** Reads the chain to its tip and decides what is due. */
async function look(): Promise<void> {
  const adapter = api.app.networks.get(chain);
  assert.ok(adapter);
  const policy = {
    requiredConfirmations: () => 1,
    isHeldByBrake: () => false,
    targetBlockSeconds: () => undefined,
  };
  const watched = { ...api.app, policy, onAffected: requestSettlement, onRecorded: () => {} };
  const watch = networkWatch(watched, adapter);
  while (await watch.step());
  await settleDueCheckouts({ ...api.app, onCheckoutChanged: () => {} });
}

/** Pays part of it, and has it mined. */
async function pay(checkoutId: string, amount: string): Promise<void> {
  await post('/sandbox/pay', { checkoutId, network: 'LITECOIN', amount });
  await post('/sandbox/mine', { network: 'LITECOIN', blocks: 2 });
  await look();
}

type Shown = {
  readonly id: string;
  readonly state: string;
  readonly flags: object;
  readonly settlementAmountReceived: string;
};

async function list(query: string, options: CallOptions = {}) {
  const { status, text, json } = await api.call('GET', '/checkouts', { query, ...options });
  assert.equal(status, 200, text);
  const checkouts = json.checkouts as unknown as Shown[];
  return { ids: checkouts.map(({ id }) => id), next: json.nextCursor as unknown as string | null };
}

async function eventsOf(checkoutId: string): Promise<string[]> {
  const rows = await api.db.query<{ type: string; body: string }>(
    sql`select type, body from event where subject_id = ${checkoutId} order by sequence`,
  );
  for (const { body } of rows) assert.equal(findEventFault(body), undefined);
  return rows.map(({ type }) => type);
}

async function refused(path: string, checkoutId: string, status: number, code: string) {
  const called = await api.call('POST', path, { body: { checkoutId } });
  assert.equal(called.status, status, called.text);
  assert.equal(called.headers.get('x-error-code'), code);
  return called.json;
}

test('accepting an underpaid checkout completes it at once with what arrived', async () => {
  const id = await create({ webhook: 'https://shop.example/hook' });
  await pay(id, '0.05');
  const { checkout } = await post('/checkout/accept-underpaid', { checkoutId: id });
  const shown = checkout as unknown as Shown;
  assert.equal(shown.state, 'COMPLETED');
  assert.deepEqual(shown.flags, { acceptedUnderpaid: { at: '2026-11-21T10:00:00+00:00' } });
  assert.equal(shown.settlementAmountReceived, '0.05');
  assert.deepEqual(await eventsOf(id), [
    'CHECKOUT_UNDERPAID',
    'UNDERPAID_ACCEPTED',
    'CHECKOUT_COMPLETED',
  ]);
  const read = await api.call('GET', '/checkout', { query: `?id=${id}` });
  assert.deepEqual(read.json.checkout, checkout);
  assert.deepEqual(await checkInvariants(api.db, { now: api.clock.now(), settled: true }), []);
});

test('an acceptance repeated with its Idempotency-Key answers what was answered', async () => {
  const id = await create();
  await pay(id, '0.05');
  const headers = { 'idempotency-key': `accept ${id}` };
  const path = '/checkout/accept-underpaid';
  const accept = () => api.call('POST', path, { body: { checkoutId: id }, headers });
  const first = await accept();
  assert.equal(first.json.checkout?.state, 'COMPLETED', first.text);
  const again = await accept();
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.text, first.text);
  assert.deepEqual(await checkInvariants(api.db, { now: api.clock.now(), settled: true }), []);
});

test('only an underpaid checkout can be accepted', async () => {
  const id = await create();
  const accept = '/checkout/accept-underpaid';
  assert.deepEqual(await refused(accept, id, 409, 'checkout_not_underpaid'), {
    errors: ['Conflict. the checkout is NEW'],
  });
  await pay(id, '0.05');
  await post(accept, { checkoutId: id });
  assert.deepEqual(await refused(accept, id, 409, 'checkout_not_underpaid'), {
    errors: ['Conflict. the checkout is COMPLETED'],
  });
  assert.deepEqual(await refused(accept, 'aaaaaaaaaaaa', 404, 'checkout_missing'), {
    errors: ['Not found. checkoutId: no such checkout'],
  });
  assert.deepEqual(await refused(accept, 'nope', 400, 'validation_failed'), {
    errors: ['Invalid request. checkoutId: must be 12 characters from a to z and 0 to 9'],
  });
});

test('a checkout of another merchant can neither be accepted nor cancelled', async () => {
  const id = await create();
  await pay(id, '0.05');
  for (const key of [await api.otherMerchant(), api.liveKey]) {
    for (const path of ['/checkout/accept-underpaid', '/checkout/cancel']) {
      const called = await api.call('POST', path, { key, body: { checkoutId: id } });
      assert.equal(called.status, 404, path);
    }
  }
  const { json } = await api.call('GET', '/checkout', { query: `?id=${id}` });
  assert.equal(json.checkout?.state, 'UNDERPAID');
});

test('cancelling twice answers the same; money that still arrives is credited', async () => {
  const id = await create();
  await post('/checkout/commit', { checkoutId: id, network: 'LITECOIN' });
  const cancelled = await post('/checkout/cancel', { checkoutId: id });
  assert.equal(cancelled.checkout?.state, 'CANCELLED');
  assert.deepEqual(await post('/checkout/cancel', { checkoutId: id }), cancelled);
  assert.deepEqual(await eventsOf(id), ['CHECKOUT_CANCELLED']);
  await pay(id, '9');
  const { json } = await api.call('GET', '/checkout', { query: `?id=${id}` });
  assert.equal(json.checkout?.state, 'COMPLETED');
  assert.deepEqual(await refused('/checkout/cancel', id, 409, 'checkout_completed'), {
    errors: ['Conflict. the checkout is paid already'],
  });
});

test('a checkout that money was seen for is not cancelled', async () => {
  const id = await create();
  await pay(id, '0.05');
  assert.deepEqual(await refused('/checkout/cancel', id, 409, 'checkout_has_money'), {
    errors: ['Conflict. a payment was seen already'],
  });
});

test('the list shows each checkout as GET /checkout does, newest first, in pages', async () => {
  const key = await api.otherMerchant();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    ids.unshift(await create({ meta: { count } }, { key }));
    await api.clock.advance(1000);
  }
  assert.deepEqual(await list('', { key }), { ids, next: null });
  const whole = await api.call('GET', '/checkouts', { key });
  const [first] = whole.json.checkouts as unknown as object[];
  const single = await api.call('GET', '/checkout', { key, query: `?id=${ids[0]}` });
  assert.deepEqual(first, single.json.checkout);
  const one = await list('?limit=2', { key });
  const two = await list(`?limit=2&cursor=${one.next}`, { key });
  const three = await list(`?limit=2&cursor=${two.next}`, { key });
  assert.deepEqual([...one.ids, ...two.ids, ...three.ids], ids);
  assert.equal(three.next, null);
  assert.deepEqual(await list('', { key: api.liveKey }), { ids: [], next: null });
});

test('every filter narrows the list', async () => {
  const key = await api.otherMerchant();
  const early = await create({ meta: { order: 7.5, shop: 'a b' } }, { key });
  await api.clock.advance(60_000);
  const between = String(api.clock.now());
  await api.clock.advance(60_000);
  const big = '{"order":12345678901234567890.10,"nothing":null,"deep":{"order":7.5}}';
  const body = `{"charge":${JSON.stringify(charge)},"meta":${big}}`;
  const late = String((await api.call('POST', '/checkout', { key, body })).json.id);
  await post('/checkout/cancel', { checkoutId: early }, { key });
  const cases: [query: string, ids: string[]][] = [
    ['?state=NEW', [late]],
    ['?state=CANCELLED', [early]],
    [`?from=${between}`, [late]],
    [`?to=${between}`, [early]],
    [`?from=${between}&to=${between}`, []],
    ['?meta.order=7.5', [early]],
    ['?meta.order=7.50', []],
    ['?meta.order=12345678901234567890.10', [late]],
    ['?meta.shop=a+b&meta.order=7.5', [early]],
    ['?meta.shop=a+b&meta.order=7', []],
    ['?meta.other=1', []],
    ['?customerId=aaaaaaaaaaaa', []],
    ['?state=CANCELLED&meta.shop=a%20b', [early]],
  ];
  for (const [query, ids] of cases) assert.deepEqual((await list(query, { key })).ids, ids, query);
});

test('a list that cannot be is refused, every fault named', async () => {
  const query = '?state=PAID&from=yesterday&to=2026-13-01&limit=251';
  const called = await api.call('GET', '/checkouts', { query });
  assert.equal(called.status, 400);
  const time = 'must be a time like 2026-01-31T12:00:00Z';
  assert.deepEqual(called.json, {
    errors: [
      'Invalid request. limit: must be a whole number from 1 to 250',
      'state: must be one of NEW, AWAITING_PAYMENT, PENDING, UNDERPAID, COMPLETED, EXPIRED, CANCELLED',
      `from: ${time}`,
      `to: ${time}`,
    ],
  });
  const cursor = await api.call('GET', '/checkouts', { query: '?cursor=abc' });
  assert.deepEqual([cursor.status, cursor.headers.get('x-error-code')], [400, 'cursor_invalid']);
});

test('a commit answers the data of the merchant as it came, and again when repeated', async () => {
  const body = `{"charge":${JSON.stringify(charge)},"meta":{"order":7.50,"shop":"a b"}}`;
  const created = await api.call('POST', '/checkout', { body });
  const commit = { checkoutId: String(created.json.id), network: 'LITECOIN' };
  for (let time = 0; time < 2; time++) {
    const { text } = await api.call('POST', '/checkout/commit', { body: commit });
    assert.match(text, /"meta":\{"order":7\.50,"shop":"a b"\}/);
  }
  const plain = await post('/checkout/commit', { checkoutId: await create(), network: 'LITECOIN' });
  assert.equal('meta' in plain, false);
});
