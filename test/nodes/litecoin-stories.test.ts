// The main job on a real Litecoin Core, through the HTTP API only: our server is a process of its
// own, the customer is the wallet of the node. After every story the books agree with the chain.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { waitUntil } from '#test/support/shop.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { type LitecoinShop, LTC, openLitecoinShop } from './litecoin-shop.ts';
import { type Paying, tellPaymentStories } from './payment-stories.ts';

let shop: LitecoinShop;

before(async () => {
  shop = await openLitecoinShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);
const litecoin: Paying = {
  assetId: LTC,
  decimals: 8,
  open: (amount) => shop.open(amount),
  pay: ({ depositInstructions }, amount) => shop.node.send(depositInstructions.address, amount),
  checkInstructions: ({ address }) => assert.match(address, /^rltc1q/),
  async whilePending(id) {
    await shop.node.mine(1);
    const included = await shop.waitForConfirmations(id, 1);
    assert.equal(included.state, 'PENDING');
    assert.equal(included.blockchainTransactions[0]?.confirmationsRequired, 2);
  },
  finish: async () => void (await shop.node.mine(2)),
};

tellPaymentStories(story, () => shop, litecoin);

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
  // What is seen is decided a moment later.
  await shop.client.waitFor(id, ({ state, blockchainTransactions: [one, ...more] }) => {
    return one?.tx === second && more.length === 0 && state === 'PENDING';
  });
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

  const isTold = (id: string) =>
    shop.eventsOf(id).some(({ eventType }) => eventType === 'CHECKOUT_COMPLETED');
  const told = () => opened.filter(({ checkoutId }) => isTold(checkoutId));
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
    const types = (await shop.typesOf(id)).filter((type) => type === 'CHECKOUT_COMPLETED');
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
