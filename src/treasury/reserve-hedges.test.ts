// A checkout that converts reserves the order of the house, and what the chain takes back of it
// reserves the same the other way.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { type ConversionPolicy, setPolicy } from './conversion-policy.ts';
import { listOrders } from './hedge-order.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
after(() => world.close());

async function reserved(): Promise<unknown[]> {
  const orders = await listOrders(world.app.db, 'test', { isOpen: true, most: 10 });
  return orders
    .map((order) => [order.giveAssetId, order.giveUnits, order.getAssetId, order.closesUnits])
    .sort();
}

test('each conversion of a checkout has its order, and its reversal one the other way', async () => {
  const policy: ConversionPolicy = {
    ...{ environment: 'test', fromAssetId: '*', toAssetId: '*', mode: 'AT_ONCE' },
    ...{ provider: 'kraken', spreadPartsPerMillion: 0, setAt: world.clock.now() },
    ...{ actor: 'anna', reason: 'everything at once' },
  };
  await world.app.db.transact(async (tx) => setPolicy(tx, policy));
  await payCheckout(world, await world.create());
  assert.deepEqual(await reserved(), [], 'what is credited as it came converts nothing');
  await payCheckout(world, await world.create({ settlementAsset: 'EUR:FIAT' }));
  // 19.90 EUR at 1.15 are 22.885 USD, at 100 USD a litecoin.
  const conversion = ['LTC:NATIVE', 22_885_000n, 'EUR:FIAT', 1_990n];
  assert.deepEqual(await reserved(), [conversion]);
  const chain = chainOf('test', 'LITECOIN');
  const lost = { transactions: 'double-spend', newBlocks: 24 } as const;
  await reorgChain(world.app, { chain, depth: 4, ...lost });
  await world.observe('LITECOIN');
  await world.settle();
  const [from, fromUnits, to, toUnits] = conversion;
  assert.deepEqual(await reserved(), [[to, toUnits, from, fromUnits], conversion]);
  assert.deepEqual(await verifyReasons(world.app.db), []);
});
