// The main job on a real Litecoin Core, through the HTTP API only: our server is a process of its
// own, the customer is the wallet of the node. After every story the books agree with the chain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '#test/support/shop.ts';
import { type LitecoinShop, LTC, openLitecoinShop } from './litecoin-shop.ts';

let shop: LitecoinShop;

before(async () => {
  shop = await openLitecoinShop();
});
after(() => shop?.close());

function story(name: string, act: () => Promise<void>): void {
  test(name, async () => {
    await act();
    await shop.checkBooks();
  });
}

const typesOf = (id: string) => shop.eventsOf(id).map(({ eventType }) => eventType);

story('a checkout paid in full is pending, then completed, credited and told', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions, settlement } = await shop.open('0.5');
  assert.equal(depositInstructions.amount, '0.5');
  assert.match(depositInstructions.address, /^rltc1q/);
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');

  const transaction = await shop.node.send(depositInstructions.address, '0.5');
  const pending = await shop.client.waitForState(id, 'PENDING');
  assert.equal(pending.sourceAmountReceived, '0');
  assert.deepEqual(
    pending.blockchainTransactions.map(({ tx, amount, confirmations }) => [
      tx,
      amount,
      confirmations,
    ]),
    [[transaction, '0.5', 0]],
  );
  await shop.node.mine(1);
  const included = await shop.waitForConfirmations(id, 1);
  assert.equal(included.state, 'PENDING');
  assert.equal(included.blockchainTransactions[0]?.confirmationsRequired, 2);
  assert.equal(await shop.balance(LTC), earned);
  await shop.node.mine(1);

  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(completed.settlementAmountReceived, settlement.amount);
  assert.deepEqual(
    completed.stateHistory.map(({ state }) => state),
    ['NEW', 'AWAITING_PAYMENT', 'PENDING', 'COMPLETED'],
  );
  assert.equal(await shop.balance(LTC), earned + 50_000_000n);
  const event = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.deepEqual(event.data.checkout, completed, 'the webhook says what GET /checkout says');
  assert.deepEqual(typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
  assert.deepEqual(
    shop.eventsOf(id).map(({ sequence }) => sequence),
    [1, 2],
  );
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
});

story('two partial payments complete a checkout', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  await shop.node.send(depositInstructions.address, '0.1');
  await shop.client.waitForState(id, 'PENDING');
  await shop.node.mine(2);
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(LTC), earned);
  assert.equal(await shop.balance(LTC, 'merchant:pending'), 10_000_000n);

  await shop.node.send(depositInstructions.address, '0.2');
  await shop.node.mine(2);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '0.3');
  assert.equal(completed.blockchainTransactions.length, 2);
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(LTC), earned + 30_000_000n);
  assert.equal(await shop.balance(LTC, 'merchant:pending'), 0n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.equal(typesOf(id).filter((type) => type === 'CHECKOUT_COMPLETED').length, 1);
});

story('an underpaid checkout is never completed, and what came is kept apart', async () => {
  const earned = await shop.balance(LTC);
  const held = await shop.balance(LTC, 'merchant:pending');
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  // One unit short.
  await shop.node.send(depositInstructions.address, '0.29999999');
  await shop.node.mine(3);
  const underpaid = await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '0.29999999');
  assert.equal(underpaid.settlementAmountReceived, '0');
  await shop.waitForEvent(id, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance(LTC), earned);
  assert.equal(await shop.balance(LTC, 'merchant:pending'), held + 29_999_999n);
});

story('an overpaid checkout is completed once and credited what came', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  await shop.node.send(depositInstructions.address, '0.4');
  await shop.node.mine(2);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, { overpaid: { amount: '0.1', assetCode: 'LTC' } });
  assert.equal(completed.settlementAmountReceived, '0.4');
  assert.equal(await shop.balance(LTC), earned + 40_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('a payment after expiry is still credited', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  await shop.endWindowIn(id, -60);
  await shop.client.waitForState(id, 'EXPIRED');
  await shop.waitForEvent(id, 'CHECKOUT_EXPIRED');
  await shop.node.send(depositInstructions.address, '0.3');
  await shop.client.waitForState(id, 'PENDING');
  await shop.node.mine(2);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(Object.keys(completed.flags), ['late']);
  assert.equal(await shop.balance(LTC), earned + 30_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.deepEqual(typesOf(id), ['CHECKOUT_EXPIRED', 'CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
});

story('two outputs of one transaction to the same address both count', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  const { address } = depositInstructions;
  const transaction = await shop.node.sendOutputs([
    { address, amount: '0.1' },
    { address, amount: '0.2' },
  ]);
  await shop.node.mine(2);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.blockchainTransactions.map(({ tx, amount }) => [tx, amount]).sort(), [
    [transaction, '0.1'],
    [transaction, '0.2'],
  ]);
  assert.equal(completed.sourceAmountReceived, '0.3');
  assert.equal(await shop.balance(LTC), earned + 30_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('a payment replaced by one with a higher fee counts once', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  const first = await shop.node.send(depositInstructions.address, '0.3');
  await shop.waitForConfirmations(id, 0, first);
  const second = await shop.node.bumpFee(first);
  const replaced = await shop.client.waitFor(id, ({ blockchainTransactions: [one, ...more] }) => {
    return one?.tx === second && more.length === 0;
  });
  assert.equal(replaced.state, 'PENDING');
  await shop.node.mine(2);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(LTC), earned + 30_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('a payment replaced by one to somebody else is worth nothing', async () => {
  const earned = await shop.balance(LTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  const transaction = await shop.node.send(depositInstructions.address, '0.3');
  await shop.client.waitForState(id, 'PENDING');
  await shop.doubleSpend(transaction);
  const waiting = await shop.client.waitForState(id, 'AWAITING_PAYMENT');
  assert.deepEqual(waiting.blockchainTransactions, []);
  await shop.node.mine(3);
  await shop.waitForTip();
  const after = await shop.client.findCheckout(id);
  assert.equal(after.state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(LTC), earned);
  assert.deepEqual(await shop.entriesOf(id), []);
});

story('200 checkouts paid in one block are all completed, credited and told', async () => {
  const count = 200;
  const earned = await shop.balance(LTC);
  const opened = await inTurns(count, 8, (index) => shop.open(amountOf(index)));
  const addresses = new Set(opened.map(({ depositInstructions }) => depositInstructions.address));
  assert.equal(addresses.size, count);
  const outputs = opened.map(({ depositInstructions: { address, amount } }) => [address, amount]);
  const transaction = await shop.node.sendMany(Object.fromEntries(outputs));
  await shop.node.mine(2);

  const told = () =>
    opened.filter(({ checkoutId }) => typesOf(checkoutId).includes('CHECKOUT_COMPLETED'));
  await waitUntil('200 webhooks', () => told().length === count);
  const expected = opened.reduce((sum, _, index) => sum + unitsOf(index), 0n);
  assert.equal(await shop.balance(LTC), earned + expected);
  await inTurns(count, 8, async (index) => {
    const { checkoutId: id, depositInstructions } = opened[index]!;
    const checkout = await shop.client.findCheckout(id);
    assert.equal(checkout.state, 'COMPLETED');
    assert.equal(checkout.settlementAmountReceived, depositInstructions.amount);
    assert.deepEqual(
      checkout.blockchainTransactions.map(({ tx }) => tx),
      [transaction],
    );
    assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
    const types = typesOf(id).filter((type) => type === 'CHECKOUT_COMPLETED');
    assert.equal(types.length, 1);
  });
});

const unitsOf = (index: number) => 1_000_000n + BigInt(index);
const amountOf = (index: number) => `0.0${unitsOf(index)}`;

/** So many at a time. */
async function inTurns<T>(
  count: number,
  atOnce: number,
  act: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await act(index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
