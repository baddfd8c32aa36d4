// Our server is killed between every two steps of the main job, the node goes away in its middle, and
// one of two endpoints is dead: nothing is lost and nothing happens twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { byLength, runLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';
import { waitForAbsence } from './wait-for-absence.ts';

let shop: EvmShop;

before(async () => {
  // Nobody listens at the first one. What is behind the host is a secret.
  shop = await openEvmShop({ firstUrls: ['http://user:hidden@127.0.0.1:9/secret-of-the-path'] });
});
after(() => shop?.close());

async function crash(): Promise<void> {
  await shop.server.kill9();
  await shop.server.start();
}

/** Coins that come while the server is down are told of below, in a short run as well. */
const ASSETS = byLength({ short: [USDC], long: [ETH, USDC] });

for (const assetId of ASSETS) {
  const amount = assetId === ETH ? '0.5' : '5';
  test(`a server killed between all steps credits ${assetId} once and tells it once`, async () => {
    const { server, client, node } = shop;
    const earned = await shop.balance(assetId);
    const committed = await shop.open(amount, assetId);
    const id = committed.checkoutId;
    // A long run kills between all steps; a short one where money is seen, credited and told of.
    if (runLength === 'long') await crash();
    // Sent while nobody looks.
    await server.kill9();
    const transaction = await shop.pay(committed, amount, assetId);
    await shop.include();
    await server.start();
    await client.waitForState(id, 'PENDING');
    await server.kill9();
    await shop.finish();
    await node.mine(5);
    await server.start();
    const completed = await client.waitForState(id, 'COMPLETED');
    assert.deepEqual(
      completed.blockchainTransactions.map(({ tx }) => tx),
      [transaction],
    );
    // The lease of a worker that was killed lasts a minute: set back, as if it had passed.
    await server.db.transact(async (tx) =>
      tx.send(sql`update webhook_delivery set lease_until = lease_until - interval '1 minute'`),
    );
    await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
    if (runLength === 'long') await crash();
    await node.mine(3);
    await shop.waitForTip();
    assert.equal(await shop.balance(assetId), earned + unitsOf(amount, assetId));
    assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
    await shop.checkBooks();
  });
}

test('coins from inside a call while the server is down are credited once', async () => {
  const { server, client, node } = shop;
  const earned = await shop.balance(ETH);
  const sender = await node.deploy('Sender');
  const { checkoutId, depositInstructions } = await shop.open('0.7', ETH);
  await shop.finish();
  await shop.waitForTip();
  await server.kill9();
  await node.call(sender, 'forward', [depositInstructions.address], unitsOf('0.7', ETH));
  await shop.include();
  await shop.finish();
  await server.start();
  await client.waitForState(checkoutId, 'COMPLETED');
  await crash();
  await node.mine(3);
  await shop.waitForTip();
  assert.equal(await shop.balance(ETH), earned + unitsOf('0.7', ETH));
  await shop.checkBooks();
});

test('while the node is away nothing expires; when it is back the payment is seen', async () => {
  const { client, node, server } = shop;
  const unpaid = await shop.open('3', USDC);
  const paid = await shop.open('4', USDC);
  await shop.pay(paid, '4', USDC);
  await shop.include();
  await client.waitForState(paid.checkoutId, 'PENDING');
  await node.shutDown();
  await shop.endWindowIn(unpaid.checkoutId, 1);
  const { stdout } = await waitForAbsence(server, 'live:ETHEREUM', unpaid.checkoutId);
  assert.doesNotMatch(stdout + server.output(), /hidden|secret-of-the-path/);
  assert.equal((await client.findCheckout(unpaid.checkoutId)).state, 'AWAITING_PAYMENT');
  await crash();
  assert.equal((await client.findCheckout(paid.checkoutId)).state, 'PENDING');
  await node.start();
  await shop.finish();
  await client.waitForState(paid.checkoutId, 'COMPLETED');
  await client.waitForState(unpaid.checkoutId, 'EXPIRED');
  await waitUntil('health to be well', async () => (await server.health()).body.status === 'ok');
  await shop.checkBooks();
});
