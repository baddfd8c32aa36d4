import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { ROUTES } from '#api/routes.ts';
import { chainOf } from '#catalog/chain.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { requestSettlement } from '#settle/queue.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary, PAYER_ADDRESS } from '#test/support/outgoing-money.ts';
import {
  type Called,
  type CallOptions,
  openTestApi,
  type TestApi,
} from '#test/support/test-api.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const LITECOIN = chainOf('test', 'LITECOIN');

let api: TestApi;
let beneficiaryId: string;
before(async () => {
  api = await openTestApi({ simulated: true });
  const { merchantId, db, app } = api;
  for (const environment of ['test', 'live'] as const) {
    await allowAddress(
      app,
      { merchantId, environment },
      {
        use: 'withdrawals',
        address: '127.0.0.1',
      },
    );
    const funds = { merchantId, environment, cause: environment, occurredAt: api.clock.now() };
    await fundMerchant(db, { ...funds, assetId: 'LTC:NATIVE', units: 300_000_000n });
  }
  const owner = (environment: 'test' | 'live') => ({
    app,
    caller: { merchantId, environment },
  });
  beneficiaryId = await addBeneficiary(owner('test'), 'savings');
  await addBeneficiary(owner('live'), 'savings');
  await observe();
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

function assertRefused(called: Called, status: number, code: string, message: RegExp): void {
  assert.equal(called.status, status, called.text);
  assert.equal(called.headers.get('x-error-code'), code);
  assert.match(called.text, message);
}

const request = {
  network: 'LITECOIN',
  asset: 'LTC:NATIVE',
  amount: '0.5',
  targetAccount: 'savings',
};

async function available(): Promise<unknown> {
  const { json } = await call('GET', '/wallets', '');
  const wallets = json.wallets as unknown as { assetId: string; available: string }[];
  return wallets.find(({ assetId }) => assetId === 'LTC:NATIVE')?.available;
}

async function send(): Promise<void> {
  const app = {
    ...api.app,
    refunds: refundsOf(api.app),
    returns: returnsOf(api.app),
  };
  for (let step = 0; step < 6; step += 1) {
    await runTransfers(app);
    await mineBlocks(api.app, LITECOIN, 1);
    await api.clock.advance(3_000);
  }
}

async function observe(): Promise<void> {
  const network = api.app.networks.get(LITECOIN);
  assert.ok(network);
  const policy = {
    requiredConfirmations: () => 3,
    isHeldByBrake: () => false,
    targetBlockSeconds: () => undefined,
  };
  const watch = networkWatch(
    {
      ...api.app,
      policy,
      onAffected: requestSettlement,
      onRecorded: () => undefined,
    },
    network,
  );
  while (await watch.step());
}

async function paidCheckout(): Promise<string> {
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: 10 }] };
  const { json } = await call('POST', '/checkout', { meta: { order: 7 }, charge });
  const checkoutId = String(json.id);
  await call('POST', '/checkout/commit', { checkoutId, network: 'LITECOIN' });
  const paid = await call('POST', '/sandbox/pay', { checkoutId });
  assert.equal(paid.status, 200, paid.text);
  await mineBlocks(api.app, LITECOIN, 4);
  await observe();
  await settleDueCheckouts({ ...api.app, onCheckoutChanged: () => undefined });
  const record = await findCheckout(
    api.app,
    { merchantId: api.merchantId, environment: 'test' },
    checkoutId,
  );
  assert.equal(record?.state, 'COMPLETED');
  return checkoutId;
}

test('a transfer is quoted, committed and shown until it has arrived', async () => {
  const quoted = await call('POST', '/transfer', request);
  const { id, ...rest } = quoted.json.transfer ?? {};
  assert.match(String(id), /^[a-z0-9]{12}$/);
  const expected = {
    state: 'QUOTED',
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    amount: '0.5',
    networkFee: '0.000005',
    fee: '0',
    targetAmount: '0.499995',
    expirationTime: rest.expirationTime,
    tx: null,
    gasFee: null,
    claimableBalance: null,
    beneficiaryId,
    failure: null,
    stuckSince: null,
    returnedAmount: null,
  };
  assert.deepEqual(rest, expected);
  assert.equal(await available(), '3');

  const committed = await call('POST', '/transfer/commit', { transferId: id });
  assert.deepEqual(committed.json, { transfer: { id, ...expected, state: 'RESERVED' } });
  const again = await call('POST', '/transfer/commit', { transferId: id });
  assert.equal(again.text, committed.text);
  assert.equal(await available(), '2.5');

  await send();
  const { transfer } = (await call('GET', '/transfer', `?id=${id}`)).json;
  assert.match(String(transfer?.tx), /^[0-9a-f]{64}$/);
  assert.deepEqual(transfer, { id, ...expected, state: 'COMPLETED', tx: transfer?.tx });
  assert.deepEqual((await call('GET', '/transfers', '')).json, {
    transfers: [transfer],
    nextCursor: null,
  });
});

test('transfers are listed in pages, newest first', async () => {
  const ids: unknown[] = [];
  for (let made = 0; made < 3; made += 1) {
    ids.unshift((await call('POST', '/transfer', request)).json.transfer?.id);
  }
  const first = await call('GET', '/transfers', '?limit=2');
  const list = (called: Called) =>
    (called.json.transfers as unknown as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(list(first), ids.slice(0, 2));
  const second = await call('GET', '/transfers', `?limit=1&cursor=${first.json.nextCursor}`);
  assert.deepEqual(list(second), ids.slice(2));
});

test('a transfer that cannot be is refused with the reason, and moves nothing', async () => {
  const before = await available();
  const quote = (changes: object) => call('POST', '/transfer', { ...request, ...changes });
  assertRefused(
    await quote({ targetAccount: 'nobody' }),
    404,
    'beneficiary_missing',
    /targetAccount/,
  );
  assertRefused(
    await quote({ network: 'BITCOIN' }),
    400,
    'asset_unknown',
    /asset: is not an asset/,
  );
  assertRefused(
    await quote({ network: 'BITCOIN', asset: null }),
    400,
    'beneficiary_elsewhere',
    /reached by LITECOIN, not BITCOIN/,
  );
  assertRefused(await quote({ amount: '0.000000001' }), 400, 'amount_invalid', /8 digits/);
  assertRefused(await quote({ amount: '0.000005' }), 400, 'amount_too_small', /network fee/);
  assertRefused(await quote({ amount: '-1' }), 400, 'validation_failed', /amount: must be greater/);
  assertRefused(await quote({ amount: null }), 400, 'validation_failed', /amount: is required/);
  const much = (await quote({ amount: '1000' })).json.transfer?.id;
  const commit = (transferId: unknown, more?: Options) =>
    call('POST', '/transfer/commit', { transferId }, more);
  assertRefused(await commit(much), 409, 'balance_too_low', /balance is too low/);
  assertRefused(await commit('aaaaaaaaaaaa'), 404, 'transfer_missing', /no such transfer/);
  const other = { key: api.liveKey };
  assertRefused(await commit(much, other), 404, 'transfer_missing', /no such transfer/);
  assertRefused(
    await call('GET', '/transfer', `?id=${much}`, other),
    404,
    'transfer_missing',
    /no such transfer/,
  );
  assertRefused(
    await call('POST', '/transfer', request, { auth: 'basic' }),
    403,
    'method_not_accepted',
    /digest/,
  );
  assert.equal(await available(), before);
});

test('with a live key and no signer it is said so, and nothing moves', async () => {
  const refused = await call('POST', '/transfer', request, { key: api.liveKey });
  assertRefused(refused, 503, 'executor_missing', /no signer is set up.*Nothing was moved/);
  assert.match(String(refused.headers.get('retry-after') ?? ''), /^\d*$/);
  const { json } = await call('GET', '/wallets', '', { key: api.liveKey });
  assert.match(JSON.stringify(json), /"available":"3"/);
});

test('a refund is made, shown with its checkout, and listed', async () => {
  const checkoutId = await paidCheckout();
  const body = { checkoutId, kind: 'amount', amount: '0.01', address: PAYER_ADDRESS };
  const made = await call('POST', '/refund', body);
  const { refund } = made.json;
  const expected = {
    id: refund?.id,
    checkoutId,
    state: 'UNDER_WAY',
    kind: 'amount',
    context: 'COMPLETED_CHECKOUT',
    payment: 'STANDING',
    failure: null,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    amount: '0.01',
    amountAssetCode: 'LTC',
    address: PAYER_ADDRESS,
    tx: null,
    timestamp: refund?.timestamp,
    networkFee: '0.000005',
    gasFee: null,
    claimableBalance: null,
    claimUrl: null,
    claimableUntil: null,
    restsUntil: null,
    meta: { order: 7 },
  };
  assert.deepEqual(refund, expected, made.text);
  await send();
  const shown = (await call('GET', '/refund', `?id=${refund?.id}`)).json.refund;
  assert.deepEqual(shown, {
    ...expected,
    state: 'COMPLETED',
    tx: shown?.tx,
    timestamp: shown?.timestamp,
  });
  assert.match(String(shown?.tx), /^[0-9a-f]{64}$/);
  const { checkout } = (await call('GET', '/checkout', `?id=${checkoutId}`)).json;
  const { claimUrl, claimableUntil, claimableBalance, restsUntil, meta, networkFee, ...rest } =
    shown ?? {};
  const { gasFee, ...short } = rest;
  const none = [claimUrl, claimableUntil, claimableBalance, restsUntil, gasFee];
  assert.deepEqual(none, [null, null, null, null, null]);
  assert.equal(networkFee, '0.000005');
  assert.deepEqual(checkout?.refunds, [short]);
  assert.deepEqual((await call('GET', '/refunds', '')).json, {
    refunds: [shown],
    nextCursor: null,
  });
});

test('a refund without an address is answered with a link for the payer', async () => {
  const checkoutId = await paidCheckout();
  const { refund } = (await call('POST', '/refund', { checkoutId, kind: 'full' })).json;
  assert.equal(refund?.state, 'AWAITING_ADDRESS');
  assert.match(String(refund?.claimUrl), /^http:\/\/pay\.example\/auto\/refund\/[\w-]{32}$/);
  assert.match(String(refund?.claimableUntil), /^2027-02-19T/);
});

test('a refund that cannot be is refused with the reason', async () => {
  const checkoutId = await paidCheckout();
  const ask = (body: object, more?: Options) => call('POST', '/refund', body, more);
  assertRefused(await ask({}), 400, 'validation_failed', /checkoutId: is required.*kind/);
  assertRefused(
    await ask({ checkoutId, kind: 'amount' }),
    400,
    'validation_failed',
    /amount: is required/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'full', amount: 1 }),
    400,
    'validation_failed',
    /amount: must not be given/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'full', address: 'LbTjMGN7gELw4KbeyQf6cTCq859hD18guE' }),
    400,
    'address_invalid',
    /test network of Litecoin/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'full', destinationTag: 7, holder: 'Ana', memoType: 'id' }),
    400,
    'validation_failed',
    /memoType: must not be given without address.*destinationTag: .*holder: .*memo: is required/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'full', address: PAYER_ADDRESS, memo: '7' }),
    400,
    'address_invalid',
    /memo: there is none on Litecoin/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'amount', amount: '5', address: PAYER_ADDRESS }),
    409,
    'refund_exceeds_payment',
    /of what was paid 0\.\d+ LTC is left/,
  );
  assertRefused(
    await ask({ checkoutId, kind: 'full' }, { key: api.liveKey }),
    404,
    'checkout_missing',
    /no such checkout/,
  );
  assertRefused(await call('GET', '/refund', '?id=nope'), 404, 'refund_missing', /no such refund/);
});

test('with an Idempotency-Key a refund is made once, and too much is refused as without', async () => {
  const checkoutId = await paidCheckout();
  const body = { checkoutId, kind: 'amount', amount: '0.01', address: PAYER_ADDRESS };
  const key = { headers: { 'idempotency-key': 'refund-1' } };
  const first = await call('POST', '/refund', body, key);
  assert.equal(first.status, 200, first.text);
  const again = await call('POST', '/refund', body, key);
  assert.equal(again.text, first.text);
  const { refunds } = (await call('GET', '/checkout', `?id=${checkoutId}`)).json.checkout ?? {};
  assert.equal((refunds as unknown as unknown[]).length, 1);

  const quoted = await call('POST', '/transfer', { ...request, amount: '900' });
  const transferId = quoted.json.transfer?.id;
  const commit = { headers: { 'idempotency-key': 'commit-1' } };
  const refused = await call('POST', '/transfer/commit', { transferId }, commit);
  assertRefused(refused, 409, 'balance_too_low', /balance is too low/);
});

test('the books are sound afterwards', async () => {
  await send();
  assert.deepEqual(await checkInvariants(api.db, { now: api.clock.now() }), []);
});
