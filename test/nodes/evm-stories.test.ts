// The main job on a real EVM node, through the HTTP API only: our server is a process of its own, the
// customer is an account of the node. After every story the books agree with the chain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '#test/support/shop.ts';
import {
  contractOf,
  DAI,
  ETH,
  EURC,
  type EvmShop,
  openEvmShop,
  USDC,
  USDT,
  unitsOf,
} from './evm-shop.ts';

let shop: EvmShop;
let sender: string;

before(async () => {
  shop = await openEvmShop();
  sender = await shop.node.deploy('Sender');
});
after(() => shop?.close());

function story(name: string, act: () => Promise<void>): void {
  test(name, async () => {
    await act();
    await shop.checkBooks();
  });
}

const typesOf = (id: string) => shop.eventsOf(id).map(({ eventType }) => eventType);

for (const [assetId, amount] of [
  [ETH, '0.5'],
  [USDC, '19.9'],
] as const) {
  story(
    `a checkout paid in full in ${assetId} is pending, then completed, credited and told`,
    async () => {
      const earned = await shop.balance(assetId);
      const committed = await shop.open(amount, assetId);
      const { checkoutId: id, depositInstructions } = committed;
      assert.equal(depositInstructions.amount, amount);
      assert.match(depositInstructions.address, /^0x[0-9a-fA-F]{40}$/);
      assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');

      const transaction = await shop.pay(committed, amount, assetId);
      await shop.include();
      const pending = await shop.client.waitForState(id, 'PENDING');
      assert.equal(pending.sourceAmountReceived, '0');
      assert.deepEqual(
        pending.blockchainTransactions.map(({ tx, amount: seen, confirmations }) => [
          tx,
          seen,
          confirmations,
        ]),
        [[transaction, amount, 0]],
      );
      assert.equal(await shop.balance(assetId), earned);
      await shop.finish();

      const completed = await shop.client.waitForState(id, 'COMPLETED');
      assert.deepEqual(completed.flags, {});
      assert.deepEqual(
        completed.stateHistory.map(({ state }) => state),
        ['NEW', 'AWAITING_PAYMENT', 'PENDING', 'COMPLETED'],
      );
      assert.equal(await shop.balance(assetId), earned + unitsOf(amount, assetId));
      const event = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
      assert.deepEqual(event.data.checkout, completed, 'the webhook says what GET /checkout says');
      assert.deepEqual(typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
      assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
    },
  );
}

story('two partial payments complete a checkout', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('30', USDC);
  const id = committed.checkoutId;
  await shop.pay(committed, '10', USDC);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(USDC, 'merchant:pending'), unitsOf('10', USDC));
  await shop.pay(committed, '20', USDC);
  await shop.include();
  await shop.finish();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '30');
  assert.equal(completed.blockchainTransactions.length, 2);
  assert.equal(await shop.balance(USDC), earned + unitsOf('30', USDC));
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('an underpaid checkout is never completed, and what came is kept apart', async () => {
  const earned = await shop.balance(ETH);
  const held = await shop.balance(ETH, 'merchant:pending');
  const committed = await shop.open('0.3', ETH);
  // One unit short.
  await shop.pay(committed, '0.299999999999999999', ETH);
  await shop.include();
  await shop.finish();
  const underpaid = await shop.client.waitForState(committed.checkoutId, 'UNDERPAID');
  assert.equal(underpaid.settlementAmountReceived, '0');
  await shop.waitForEvent(committed.checkoutId, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance(ETH), earned);
  assert.equal(await shop.balance(ETH, 'merchant:pending'), held + unitsOf('0.3', ETH) - 1n);
});

story('an overpaid checkout is completed once and credited what came', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('3', USDC);
  await shop.pay(committed, '4', USDC);
  await shop.include();
  await shop.finish();
  const completed = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.deepEqual(completed.flags, { overpaid: { amount: '1', assetCode: 'USDC' } });
  assert.equal(await shop.balance(USDC), earned + unitsOf('4', USDC));
});

story('a payment after expiry is still credited', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('3', USDC);
  const id = committed.checkoutId;
  await shop.endWindowIn(id, -60);
  await shop.client.waitForState(id, 'EXPIRED');
  await shop.pay(committed, '3', USDC);
  await shop.include();
  await shop.client.waitForState(id, 'PENDING');
  await shop.finish();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(Object.keys(completed.flags), ['late']);
  assert.equal(await shop.balance(USDC), earned + unitsOf('3', USDC));
});

story('two transfers of one transaction to the same address both count', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('3', USDC);
  const { address } = committed.depositInstructions;
  const units = [unitsOf('1', USDC), unitsOf('2', USDC)];
  const transaction = await shop.node.call(contractOf(USDC), 'transferMany', [
    [address, address],
    units,
  ]);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  const shown = await shop.transactionsOf(committed.checkoutId);
  assert.deepEqual(shown.map(({ tx, amount }) => [tx, amount]).sort(), [
    [transaction, '1'],
    [transaction, '2'],
  ]);
  assert.equal(await shop.balance(USDC), earned + unitsOf('3', USDC));
});

story('coins that a contract sends from inside are credited by the balance', async () => {
  const earned = await shop.balance(ETH);
  const committed = await shop.open('0.3', ETH);
  await shop.finish();
  await shop.waitForTip();
  const { address } = committed.depositInstructions;
  await shop.node.call(sender, 'forward', [address], unitsOf('0.3', ETH));
  await shop.include();
  await shop.finish();
  const completed = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(ETH), earned + unitsOf('0.3', ETH));
  await shop.finish();
});

story('coins sent inside a call that was undone are worth nothing', async () => {
  const earned = await shop.balance(ETH);
  const committed = await shop.open('0.3', ETH);
  await shop.finish();
  await shop.waitForTip();
  const { address } = committed.depositInstructions;
  const hash = await shop.node.call(sender, 'forwardAndUndo', [address], unitsOf('0.3', ETH));
  await shop.include();
  await shop.finish();
  const receipt = (await shop.node.rpc('eth_getTransactionReceipt', hash)) as { status: string };
  assert.equal(receipt.status, '0x1', 'the transaction itself is a success');
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(ETH), earned);
});

story('of a token that keeps a fee what arrived is credited, not what it says', async () => {
  const held = await shop.balance(DAI, 'merchant:pending');
  const committed = await shop.open('100', DAI);
  await shop.pay(committed, '100', DAI);
  await shop.include();
  await shop.finish();
  const underpaid = await shop.client.waitForState(committed.checkoutId, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '99');
  assert.equal(await shop.balance(DAI, 'merchant:pending'), held + unitsOf('99', DAI));
});

story('a token that says it moved something, and moved nothing, credits nothing', async () => {
  const committed = await shop.open('100', USDT);
  await shop.pay(committed, '100', USDT);
  await shop.include();
  await shop.finish();
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(USDT), 0n);
});

story('a contract that looks like the token is none', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('5', USDC);
  const alike = await shop.node.deploy('Token', 6);
  await shop.node.call(alike, 'mint', [shop.node.payer, 10n ** 12n]);
  const { address } = committed.depositInstructions;
  await shop.node.call(alike, 'transfer', [address, unitsOf('5', USDC)]);
  await shop.include();
  await shop.finish();
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(USDC), earned);
});

test('a token with other decimals than ours is not offered', async () => {
  await assert.rejects(shop.open('5', EURC), /payment_method_unknown|no payment method|400/);
});

story('100 checkouts paid by one transaction are all completed, credited and told', async () => {
  const count = 100;
  const earned = await shop.balance(USDC);
  const opened = await Promise.all(Array.from({ length: count }, () => shop.open('1.5', USDC)));
  const addresses = opened.map(({ depositInstructions }) => depositInstructions.address);
  assert.equal(new Set(addresses).size, count);
  const units = addresses.map(() => unitsOf('1.5', USDC));
  await shop.node.call(contractOf(USDC), 'transferMany', [addresses, units]);
  await shop.include();
  await shop.finish();
  const told = () =>
    opened.filter(({ checkoutId }) => typesOf(checkoutId).includes('CHECKOUT_COMPLETED'));
  await waitUntil('100 webhooks', () => told().length === count);
  assert.equal(await shop.balance(USDC), earned + BigInt(count) * unitsOf('1.5', USDC));
});
