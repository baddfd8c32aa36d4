// Live conversions at once: together they stay within the limit that the operator set.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Caller } from '#access/caller.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { type CreateCheckoutApp, createCheckout } from '#checkout/create-checkout.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import type { Network } from '#deposit/network.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { parseDecimal } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { noteFill, orderHedge } from '#treasury/act-on-order.ts';

let world: TestApp;
let app: CreateCheckoutApp & TestApp['app'];
let live: Caller;

const limited = (usd: string) => ({ ...app, exposureLimitUsd: parseDecimal(usd) });

function rememberPrices(): void {
  const observedAt = world.clock.now();
  for (const [code, price] of [
    ['BTC', '100000'],
    ['LTC', '100'],
    ['EUR', '1'],
  ] as const) {
    const usdPrice = parseDecimal(price);
    app.rates.remember([{ environment: 'live', id: 1n, code, usdPrice, observedAt }]);
  }
}

before(async () => {
  world = await openTestApp({ connections: 10 });
  const networks = new Map<ChainId, Network>(world.app.networks);
  for (const id of ['BITCOIN', 'LITECOIN']) {
    const simulated = networks.get(`test:${id}`);
    assert.ok(simulated !== undefined);
    networks.set(`live:${id}`, { ...simulated, chain: `live:${id}` });
  }
  app = { ...world.app, networks };
  live = { ...world.caller, environment: 'live' };
  rememberPrices();
});
after(() => world.close());

async function create(from: typeof app, caller: Caller, amount: string, settlementAsset: string) {
  const charge = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'Books', netAmount: amount }],
  };
  const parsed = parseExactJson(JSON.stringify({ charge, settlementAsset }));
  assert.ok(parsed.ok);
  const { id } = await createCheckout(from, caller, parseCheckoutRequest(parsed.value), {
    type: 'SELF_HOSTED',
    origin: 'API',
  });
  const record = await findAnyCheckout(from, id);
  assert.ok(record !== undefined);
  return record;
}

const offered = ({ offers }: Awaited<ReturnType<typeof create>>) =>
  offers.map(({ network }) => network);

const commit = (from: typeof app, checkoutId: string) =>
  commitCheckout(from, { checkoutId, owner: live, network: 'BITCOIN' }).then(
    () => 'committed',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

test('without a limit nothing live is converted, and the reason names the setting', async () => {
  await assert.rejects(create(app, live, '10', 'EUR:FIAT'), (error: Refusal) => {
    assert.equal(error.code, 'no_payment_method');
    assert.match(error.details.join(), /conversion to EUR:FIAT is not covered: EXPOSURE_LIMIT_USD/);
    return true;
  });
  assert.deepEqual(offered(await create(app, live, '10', 'ORIGIN')), ['BITCOIN', 'LITECOIN']);
});

test('what needs no conversion is offered beside the reason why the rest is not', async () => {
  const record = await create(app, live, '10', 'BTC:NATIVE');
  assert.deepEqual(offered(record), ['BITCOIN']);
  assert.deepEqual(
    record.withheld.map(({ network }) => network),
    ['LITECOIN'],
  );
});

test('test keys convert without a limit', async () => {
  assert.ok(offered(await create(app, world.caller, '10', 'EUR:FIAT')).includes('BITCOIN'));
});

test('a charge above the limit is not offered', async () => {
  await assert.rejects(create(limited('9.99'), live, '10', 'EUR:FIAT'), /reached the exposure/);
  assert.equal(offered(await create(limited('10.01'), live, '10', 'EUR:FIAT')).length, 2);
});

test('of ten commits at once three happen when the limit is for three', async () => {
  const generous = limited('100');
  const checkouts = [];
  for (let i = 0; i < 10; i++) checkouts.push(await create(generous, live, '10', 'EUR:FIAT'));
  const ends = await Promise.all(checkouts.map(({ id }) => commit(limited('35'), id)));
  assert.equal(ends.filter((end) => end === 'committed').length, 3);
  assert.equal(ends.filter((end) => end === 'conversion_not_covered').length, 7);
  await assert.rejects(create(limited('35'), live, '10', 'EUR:FIAT'), /reached the exposure/);
});

test('a window that ended unpaid makes room again', async () => {
  const { id } = await create(limited('100'), live, '30', 'EUR:FIAT');
  assert.equal(await commit(limited('35'), id), 'conversion_not_covered');
  await world.clock.advance(61 * 60_000);
  rememberPrices();
  assert.equal(await commit(limited('35'), id), 'committed');
});

test('one merchant uses no more of the limit than its own, and the others have the rest', async () => {
  const own = { ...limited('1000'), merchantExposureLimitUsd: parseDecimal('60') };
  // 30 dollars are locked by the test before.
  const { id } = await create(own, live, '20', 'EUR:FIAT');
  await assert.rejects(create(own, live, '31', 'EUR:FIAT'), /conversions of this merchant have/);
  assert.equal(await commit(own, id), 'committed');
  await assert.rejects(create(own, live, '20', 'EUR:FIAT'), /conversions of this merchant have/);
  const merchant = await createMerchant(app, { name: 'Another shop' });
  const other = { ...live, merchantId: merchant.id };
  assert.equal(offered(await create(own, other, '20', 'EUR:FIAT')).length, 2);
  await world.clock.advance(61 * 60_000);
  rememberPrices();
  assert.equal(
    await commit(limited('35'), (await create(own, live, '30', 'EUR:FIAT')).id),
    'committed',
  );
});

test('what was converted stays open: live swaps at once stop at the limit', async () => {
  const { merchantId } = live;
  const occurredAt = world.clock.now();
  const assetId = 'BTC:NATIVE';
  const units = 10_000_000n;
  const funds: Entry = {
    ...{ causeKey: 'funds:swaps', kind: 'test-funds', environment: 'live', merchantId, occurredAt },
    postings: [
      { account: { code: 'custody:BITCOIN' }, assetId, units },
      { account: { merchantId, code: 'merchant:available' }, assetId, units: -units },
    ],
  };
  await ensureAccounts(app.db, accountsOf([funds]));
  await app.db.transact(async (tx) => postEntries(tx, [funds]));
  // 30 dollars are locked by the test before; each swap is worth 100.
  const limit = limited('360');
  const quotes = await Promise.all(
    Array.from({ length: 8 }, () =>
      createSwap(limit, live, {
        ...{ sourceAssetId: assetId, targetAssetId: 'LTC:NATIVE' },
        fixed: { sourceUnits: 100_000n },
      }),
    ),
  );
  const ends = await Promise.all(
    quotes.map(({ id }) =>
      commitSwap(limit, { swapId: id, owner: live }).then(
        ({ state }) => state,
        (error: Refusal) => error.code,
      ),
    ),
  );
  assert.equal(ends.filter((end) => end === 'COMPLETED').length, 3, ends.join());
  assert.equal(ends.filter((end) => end === 'conversion_not_covered').length, 5);
  const order = await orderHedge(app, {
    ...{ environment: 'live', provider: 'kraken', actor: 'anna', reason: 'evening' },
    ...{ giveAssetId: assetId, giveUnits: 300_000n, getAssetId: 'LTC:NATIVE' },
    ...{ closesUnits: undefined, isByHand: true },
  });
  const swapAgain = () =>
    createSwap(limit, live, {
      ...{ sourceAssetId: assetId, targetAssetId: 'LTC:NATIVE' },
      fixed: { sourceUnits: 100_000n },
    }).then(
      ({ state }) => state,
      (error: Refusal) => error.code,
    );
  assert.equal(await swapAgain(), 'conversion_not_covered', 'an order alone closes nothing');
  await noteFill(app, {
    ...{ orderId: order.id, fillId: 'T-1', soldUnits: 100_000n, gotUnits: 99_000_000n },
    ...{ feeAssetId: undefined, feeUnits: undefined, actor: 'anna' },
  });
  assert.equal(await swapAgain(), 'QUOTED', 'what was filled makes room');
});
