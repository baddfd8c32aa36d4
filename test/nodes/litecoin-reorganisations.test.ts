// Blocks that are undone by a real Litecoin Core, before and after our server credited what they
// held. Payments need two confirmations here.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { assertSameCheckout } from '#test/support/merchant-client.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { type LitecoinShop, LTC, openLitecoinShop } from './litecoin-shop.ts';

const amount = '0.5';
const units = 50_000_000n;
let shop: LitecoinShop;

before(async () => {
  shop = await openLitecoinShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);

/** A payment in the last block: one confirmation, pending, not credited. */
async function openIncluded() {
  const { checkoutId: id, depositInstructions } = await shop.open(amount);
  const transaction = await shop.node.send(depositInstructions.address, amount);
  const [block] = await shop.node.mine(1);
  await shop.waitForConfirmations(id, 1);
  await shop.client.waitForState(id, 'PENDING');
  return { id, transaction, block: String(block) };
}

/** A payment in the last block but one: credited and told. */
async function openCompleted() {
  const included = await openIncluded();
  await shop.node.mine(1);
  await shop.client.waitForState(included.id, 'COMPLETED');
  await shop.waitForEvent(included.id, 'CHECKOUT_COMPLETED');
  return included;
}

story(
  'a payment whose block is undone before the credit is credited in its next block',
  async () => {
    const earned = await shop.balance(LTC);
    const { id, transaction, block } = await openIncluded();
    await shop.node.invalidate(block);
    await shop.mineEmpty(1);
    const undone = await shop.waitForConfirmations(id, 0, transaction);
    assert.equal(undone.state, 'PENDING');
    await shop.mineElsewhere(1);
    const again = await shop.waitForConfirmations(id, 1, transaction);
    assert.equal(again.state, 'PENDING');
    assert.equal(await shop.balance(LTC), earned);
    await shop.mineElsewhere(1);
    await shop.client.waitForState(id, 'COMPLETED');
    assert.equal(await shop.balance(LTC), earned + units);
    await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
    assert.deepEqual(await shop.typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
  },
);

story(
  'a payment whose block is undone before the credit and double-spent is worth nothing',
  async () => {
    const earned = await shop.balance(LTC);
    const { id, transaction, block } = await openIncluded();
    await shop.node.invalidate(block);
    await shop.doubleSpend(transaction);
    await shop.mineElsewhere(3);
    const waiting = await shop.client.waitForState(id, 'AWAITING_PAYMENT');
    assert.deepEqual(waiting.blockchainTransactions, []);
    await shop.waitForTip();
    assert.equal(await shop.balance(LTC), earned);
    assert.deepEqual(await shop.entriesOf(id), []);
    const told = ['CHECKOUT_PENDING', 'CHECKOUT_PENDING_WITHDRAWN'];
    assert.deepEqual(await shop.typesOf(id), told);
  },
);

story('a payment whose block is undone after the credit is not credited again', async () => {
  const earned = await shop.balance(LTC);
  const { id, transaction, block } = await openCompleted();
  await shop.node.invalidate(block);
  await shop.mineEmpty(1);
  await shop.waitForConfirmations(id, 0, transaction);
  assert.equal(await shop.balance(LTC), earned + units);
  await shop.mineElsewhere(3);
  const completed = await shop.waitForConfirmations(id, 3, transaction);
  assert.equal(completed.state, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(LTC), earned + units);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  assert.deepEqual(await shop.typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
});

story('a credited payment that is double-spent is reversed when that is as deep', async () => {
  const earned = await shop.balance(LTC);
  const { id, transaction, block } = await openCompleted();
  await shop.node.invalidate(block);
  await shop.doubleSpend(transaction);
  await shop.mineElsewhere(1);
  await shop.waitForTip();
  assert.equal(await shop.balance(LTC), earned + units, 'one block is not deep enough');

  await shop.mineElsewhere(1);
  const event = await shop.waitForEvent(id, 'CHECKOUT_REVERSED');
  const reversed = await shop.client.findCheckout(id);
  assert.equal(reversed.state, 'COMPLETED');
  assert.equal(reversed.flags.reversed?.amount, amount);
  assert.equal(reversed.settlementAmountReceived, '0');
  assert.deepEqual(
    reversed.blockchainTransactions.map(({ tx, exception }) => [tx, exception]),
    [[transaction, 'REVERSED']],
  );
  assertSameCheckout(event.data.checkout, reversed);
  assert.equal(await shop.balance(LTC), earned);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available', 'checkout-reversal']);

  await shop.mineElsewhere(3);
  await shop.waitForTip();
  assert.deepEqual(await shop.client.findCheckout(id), reversed);
  assert.deepEqual(await shop.typesOf(id), [
    'CHECKOUT_PENDING',
    'CHECKOUT_COMPLETED',
    'CHECKOUT_REVERSED',
  ]);
});

story(
  'a payment missing for twice its depth is reversed, and credited when it returns',
  async () => {
    const earned = await shop.balance(LTC);
    const { id, transaction, block } = await openCompleted();
    await shop.node.invalidate(block);
    await shop.mineEmpty(5);
    await shop.waitForTip();
    assert.equal(await shop.balance(LTC), earned + units, 'the chain grew by three blocks only');
    await shop.mineEmpty(1);
    await shop.waitForEvent(id, 'CHECKOUT_REVERSED');
    assert.equal(await shop.balance(LTC), earned);
    await shop.checkBooks();

    await shop.mineElsewhere(2);
    await shop.waitForConfirmations(id, 2, transaction);
    // What is deep enough is credited a moment later.
    const again = await shop.client.waitFor(id, (found) => {
      return found.settlementAmountReceived === amount;
    });
    assert.equal(again.state, 'COMPLETED');
    assert.equal(await shop.balance(LTC), earned + units);
    assert.deepEqual(await shop.entriesOf(id), [
      'checkout-receipt-available',
      'checkout-reversal',
      'checkout-receipt-available',
    ]);
  },
);
