// Blocks that are undone by a real EVM node, before they are final and after.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';
import { waitForFault } from './wait-for-fault.ts';

let shop: EvmShop;

before(async () => {
  shop = await openEvmShop();
});
after(() => shop?.close());

/** Of a token more may change from block to block: the numbers of its logs. */
const ASSETS = byLength({ short: [USDC], long: [ETH, USDC] });

for (const assetId of ASSETS) {
  const amount = assetId === ETH ? '0.5' : '5';
  test(`a payment in ${assetId} whose block is undone is credited once in its next block`, async () => {
    const earned = await shop.balance(assetId);
    const committed = await shop.open(amount, assetId);
    const id = committed.checkoutId;
    const transaction = await shop.pay(committed, amount, assetId);
    const raw = await shop.node.rawOf(transaction);
    await shop.include();
    await shop.client.waitForState(id, 'PENDING');
    await shop.node.reorganise(1);
    await shop.client.waitForState(id, 'AWAITING_PAYMENT');
    assert.deepEqual(await shop.transactionsOf(id), []);
    assert.equal(await shop.balance(assetId), earned);

    // Behind another one: its logs have other numbers now, its key has not.
    await shop.node.sendRaw(raw);
    await shop.node.call(contractOf(USDC), 'mint', [shop.node.payer, 1n]);
    await shop.include();
    await shop.client.waitForState(id, 'PENDING');
    await shop.finish();
    const completed = await shop.client.waitForState(id, 'COMPLETED');
    assert.deepEqual(
      completed.blockchainTransactions.map(({ tx }) => tx),
      [transaction],
    );
    assert.equal(await shop.balance(assetId), earned + unitsOf(amount, assetId));
    assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
    await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
    await shop.checkBooks();
  });
}

test('a payment whose block is undone and that never comes again is worth nothing', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('5', USDC);
  const id = committed.checkoutId;
  await shop.pay(committed, '5', USDC);
  await shop.include();
  await shop.client.waitForState(id, 'PENDING');
  await shop.node.reorganise(1);
  await shop.finish();
  await shop.finish();
  await shop.client.waitForState(id, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(USDC), earned);
  assert.deepEqual(await shop.entriesOf(id), []);
  await shop.checkBooks();
});

test('a reorganisation above what is final leaves a credited payment alone', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('5', USDC);
  await shop.pay(committed, '5', USDC);
  await shop.include();
  await shop.client.waitForState(committed.checkoutId, 'PENDING');
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.waitForEvent(committed.checkoutId, 'CHECKOUT_COMPLETED');
  await shop.node.reorganise(2);
  await shop.finish();
  await shop.waitForTip();
  assert.equal(await shop.balance(USDC), earned + unitsOf('5', USDC));
  const types = await shop.typesOf(committed.checkoutId);
  assert.deepEqual(types, ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
  await shop.checkBooks();
});

test('a final block that is undone stops the network; nothing is taken back by itself', async () => {
  const earned = await shop.balance(ETH);
  const committed = await shop.open('0.5', ETH);
  await shop.pay(committed, '0.5', ETH);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.waitForTip();
  await shop.node.reorganise(4);
  await shop.finish();
  await waitForFault(shop.server, 'live:ETHEREUM', /final block \d+ is another one now/);
  await waitUntil('health to say it', async () => {
    const { body } = await shop.server.health();
    return body.status === 'failing' && body.failing.includes('watch live:ETHEREUM');
  });
  assert.equal(await shop.balance(ETH), earned + unitsOf('0.5', ETH));
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'COMPLETED');
});
