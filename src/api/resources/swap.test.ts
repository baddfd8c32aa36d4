import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { ROUTES } from '#api/routes.ts';
import { sql } from '#db/db.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import {
  type Called,
  type CallOptions,
  openTestApi,
  type TestApi,
} from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
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
  await api.db.single((tx) =>
    tx.query(sql`update merchant set fee_parts_per_million = 5000 where id = ${merchantId}`),
  );
  const funds = { assetId: 'BTC:NATIVE', occurredAt: api.clock.now() };
  await fundMerchant(api.db, { ...funds, merchantId, cause: 'start', units: 100_000_000n });
});
after(() => api.close());

type Options = Pick<CallOptions, 'key' | 'auth' | 'headers'>;

async function call(method: 'GET' | 'POST', path: string, input: string | object, more?: Options) {
  // Every signature of a money-moving call is good for one.
  await api.clock.advance(1000);
  const sent = typeof input === 'string' ? { query: input } : { body: input };
  const called = await api.call(method, path, { ...sent, ...more });
  if (called.status !== 200) return called;
  const route = ROUTES.find((endpoint) => endpoint.method === method && endpoint.path === path);
  assert.deepEqual(route?.response.parse(called.json), called.json);
  return called;
}
const quote = (body: object, more?: Options) => call('POST', '/swap', body, more);
const commit = (swapId: unknown, more?: Options) => call('POST', '/swap/commit', { swapId }, more);
const show = (id: unknown, more?: Options) => call('GET', '/swap', `?id=${id}`, more);

async function balances(): Promise<Record<string, unknown>> {
  const { json } = await call('GET', '/wallets', '');
  const wallets = json.wallets as unknown as { assetId: string; available: string }[];
  return Object.fromEntries(wallets.map(({ assetId, available }) => [assetId, available]));
}

async function eventsOf(swapId: unknown): Promise<{ type: string; body: string }[]> {
  return api.db.query(sql`select type, body from event where subject_id = ${String(swapId)}`);
}

function assertRefused(called: Called, status: number, code: string, message: RegExp): void {
  assert.equal(called.status, status, called.text);
  assert.equal(called.headers.get('x-error-code'), code);
  assert.match(called.text, message);
}

const toLitecoin = { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE' };

test('a swap is quoted for sixty seconds, fee and all, and moves nothing', async () => {
  const { json } = await quote({ ...toLitecoin, sourceAmount: '0.1' });
  const { id, expirationTime, ...rest } = json.swap ?? {};
  assert.match(String(id), /^[a-z0-9]{12}$/);
  assert.equal(expirationTime, '2026-11-21T10:01:01+00:00');
  assert.deepEqual(rest, {
    state: 'QUOTED',
    sourceAsset: 'BTC:NATIVE',
    sourceAmount: '0.1',
    targetAsset: 'LTC:NATIVE',
    targetAmount: '99.5',
    exchangeRate: '1000',
    fee: '0.5',
  });
  assert.deepEqual(await balances(), { 'BTC:NATIVE': '1' });
});

test('a swap may name what is to be received, and codes instead of ids', async () => {
  const body = { sourceAsset: 'BTC', targetAsset: 'EUR', targetAmount: 995 };
  const { swap } = (await quote(body)).json;
  assert.equal(swap?.targetAsset, 'EUR:FIAT');
  assert.equal(swap?.targetAmount, '995');
  // 1,000 EUR are 1,150 dollars, and a bitcoin is 100,000.
  assert.equal(swap?.sourceAmount, '0.0115');
  assert.equal(swap?.fee, '5');
  assert.equal(swap?.exchangeRate, '86956.5217391304348');
});

test('a commit converts at the quote, once however often it is asked for', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '0.1' })).json;
  const before = await balances();
  const first = await commit(swap?.id);
  assert.equal(first.json.swap?.state, 'COMPLETED');
  assert.deepEqual(first.json.swap, { ...swap, state: 'COMPLETED' });
  const again = await commit(swap?.id);
  assert.equal(again.text, first.text);
  assert.equal((await show(swap?.id)).text, first.text);
  assert.equal(before['BTC:NATIVE'], '1');
  assert.deepEqual(await balances(), { 'BTC:NATIVE': '0.9', 'LTC:NATIVE': '99.5' });

  const [event, ...others] = await eventsOf(swap?.id);
  assert.deepEqual(others, []);
  assert.equal(event?.type, 'SWAP_COMPLETED');
  assert.deepEqual(JSON.parse(event?.body ?? '').data, first.json);

  const entries = await api.db.query<{ evidence: string; lines: string[] }>(sql`
    select e.evidence, array_agg(a.code || ' ' || a.asset_id || ' ' || p.units order by p.position)
      as lines
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
    where e.subject_id = ${String(swap?.id)} group by e.id, e.evidence`);
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0]?.lines, [
    'merchant:available BTC:NATIVE 10000000',
    'exchange BTC:NATIVE -10000000',
    'exchange LTC:NATIVE 10000000000',
    'merchant:available LTC:NATIVE -9950000000',
    'fees LTC:NATIVE -50000000',
  ]);
  const evidence = JSON.parse(entries[0]?.evidence ?? '');
  assert.deepEqual([evidence.numerator, evidence.denominator], ['1000', '1']);
  assert.equal(evidence.rateIds.length, 2);
});

test('after its sixty seconds a quote is over and converts nothing', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '0.1' })).json;
  const before = await balances();
  await api.clock.advance(60_000);
  assertRefused(await commit(swap?.id), 409, 'swap_expired', /ask for another one/);
  assert.equal((await show(swap?.id)).json.swap?.state, 'EXPIRED');
  assert.deepEqual(await balances(), before);
  assert.deepEqual(await eventsOf(swap?.id), []);
});

test('a balance that is too low fails the swap, for good, and says so', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '5' })).json;
  const before = await balances();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await commit(swap?.id);
    assertRefused(refused, 409, 'balance_too_low', /available balance of BTC:NATIVE is too low/);
  }
  const shown = (await show(swap?.id)).json;
  assert.equal(shown.swap?.state, 'FAILED');
  assert.equal(shown.swap?.failure, 'the available balance of BTC:NATIVE is too low');
  assert.deepEqual(await balances(), before);
  const events = await eventsOf(swap?.id);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['SWAP_FAILED'],
  );
  assert.deepEqual(JSON.parse(events[0]?.body ?? '').data, shown);
});

test('a commit with an Idempotency-Key has one effect and one answer', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '0.01' })).json;
  const before = await balances();
  const headers = { 'idempotency-key': 'convert-once' };
  const first = await commit(swap?.id, { headers });
  assert.equal(first.json.swap?.state, 'COMPLETED');
  const again = await commit(swap?.id, { headers });
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(Number(before['BTC:NATIVE']), Number((await balances())['BTC:NATIVE']) + 0.01);
});

test('a refused commit with an Idempotency-Key leaves nothing behind', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '5' })).json;
  const headers = { 'idempotency-key': 'too-much' };
  assertRefused(
    await commit(swap?.id, { headers }),
    409,
    'balance_too_low',
    /BTC:NATIVE is too low/,
  );
  assert.equal((await show(swap?.id)).json.swap?.state, 'QUOTED');
  assert.deepEqual(await eventsOf(swap?.id), []);
});

const faults: [body: object, message: RegExp][] = [
  [{}, /sourceAsset: is required/],
  [{ ...toLitecoin }, /exactly one of sourceAmount and targetAmount/],
  [{ ...toLitecoin, sourceAmount: '1', targetAmount: '1' }, /exactly one of/],
  [{ ...toLitecoin, sourceAmount: '0' }, /sourceAmount: must be greater than 0/],
  [{ ...toLitecoin, sourceAmount: '-1' }, /sourceAmount: must be greater than 0/],
  [{ ...toLitecoin, sourceAmount: '0.000000001' }, /BTC has 8 digits after the point at most/],
  [{ ...toLitecoin, targetAsset: 'BTC', sourceAmount: '1' }, /targetAsset: is the same/],
  [{ ...toLitecoin, targetAsset: 'SAT', sourceAmount: '1' }, /targetAsset: is not an asset id/],
];
for (const [body, message] of faults) {
  test(`a swap that cannot be is refused: ${JSON.stringify(body)}`, async () => {
    assertRefused(await quote(body), 400, 'validation_failed', message);
  });
}

test('a swap of which nothing would be left is refused', async () => {
  const body = { sourceAsset: 'XLM:NATIVE', targetAsset: 'BTC:NATIVE', sourceAmount: '0.0000001' };
  assertRefused(await quote(body), 400, 'amount_too_small', /nothing of BTC would be received/);
});

test('a swap of another merchant, or of the other environment, does not exist', async () => {
  const { swap } = (await quote({ ...toLitecoin, sourceAmount: '0.1' })).json;
  for (const key of [await api.otherMerchant(), api.liveKey]) {
    assertRefused(await show(swap?.id, { key }), 404, 'swap_missing', /no such swap/);
  }
  assertRefused(await show('nope'), 404, 'swap_missing', /no such swap/);
  assertRefused(await commit('aaaaaaaaaaaa'), 404, 'swap_missing', /no such swap/);
  assertRefused(await commit('nope'), 400, 'validation_failed', /swapId: must be 12 characters/);
});

test('with a live key there is no exchange: told so, and nothing is stored', async () => {
  const refused = await quote({ ...toLitecoin, sourceAmount: '1' }, { key: api.liveKey });
  assertRefused(refused, 503, 'exchange_missing', /live swaps need an exposure limit/);
  const rows = await api.db.query(sql`select id from swap where environment = 'live'`);
  assert.deepEqual(rows, []);
});

test('a swap is asked for with digest authentication only', async () => {
  const refused = await quote({ ...toLitecoin, sourceAmount: '1' }, { auth: 'basic' });
  assertRefused(refused, 403, 'method_not_accepted', /digest/);
});

test('the books are right after all of it', async () => {
  assert.deepEqual((await verifyLedger(api.db)).faults, []);
  assert.deepEqual(await checkInvariants(api.db, { now: api.clock.now() }), []);
});
