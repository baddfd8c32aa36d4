// The stories that every network has on which anybody may pay any amount. Each is told of every such
// network with the same asserts; what differs is how money is sent and when it is final.

import assert from 'node:assert/strict';
import {
  assertSameCheckout,
  type Committed,
  type WireInstructions,
} from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import type { Story } from '#test/support/story-teller.ts';
import type { LiveShop } from './open-live-shop.ts';

/** An asset on a network as a customer pays with it. */
export type Paying = {
  readonly assetId: string;
  readonly decimals: number;
  /** A checkout of so much, committed. */
  open(amount: string): Promise<Committed>;
  /** As a wallet does, and far enough for the server to see it. Gives the hash. */
  pay(committed: Committed, amount: string): string | Promise<string>;
  checkInstructions(instructions: WireInstructions): void;
  /** Until what was paid is final. Undefined where it is at once, so that nothing is ever pending. */
  finish?(): Promise<void>;
  /** Steps of a payment that is seen and not final. */
  whilePending?(checkoutId: string): Promise<void>;
};

/** `finest`: of which one smallest unit is left out, where that is another asset. */
export function tellPaymentStories(
  story: Story,
  shopNow: () => LiveShop,
  paying: Paying,
  finest: Paying = paying,
): void {
  const path = paying.finish === undefined ? 'completed' : 'pending, then completed';
  story(`a checkout paid in full is ${path}, credited and told`, () =>
    payInFull(shopNow(), paying),
  );
  story('two partial payments complete a checkout', () => payInParts(shopNow(), paying));
  story('an underpaid checkout is never completed, and what came is kept apart', () =>
    payTooLittle(shopNow(), finest),
  );
  story('an overpaid checkout is completed once and credited what came', () =>
    payTooMuch(shopNow(), paying),
  );
  story('a payment after expiry is still credited', () => payLate(shopNow(), paying));
}

export async function payInFull(shop: LiveShop, paying: Paying): Promise<void> {
  const { assetId, decimals } = paying;
  const amount = '12.5';
  const earned = await shop.balance(assetId);
  const committed = await paying.open(amount);
  const { checkoutId: id, depositInstructions, settlement } = committed;
  assert.equal(depositInstructions.amount, amount);
  paying.checkInstructions(depositInstructions);
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');

  const hash = await paying.pay(committed, amount);
  if (paying.finish !== undefined) {
    const pending = await shop.client.waitForState(id, 'PENDING');
    assert.equal(pending.sourceAmountReceived, '0');
    assert.deepEqual(
      pending.blockchainTransactions.map((one) => [one.tx, one.amount, one.confirmations]),
      [[hash, amount, 0]],
    );
    await paying.whilePending?.(id);
    assert.equal(await shop.balance(assetId), earned);
    await paying.finish();
  }

  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(completed.settlementAmountReceived, settlement.amount);
  assert.deepEqual(
    completed.blockchainTransactions.map(({ tx, amount: came }) => [tx, came]),
    [[hash, amount]],
  );
  const pendingFirst = paying.finish === undefined ? [] : ['PENDING'];
  assert.deepEqual(
    completed.stateHistory.map(({ state }) => state),
    ['NEW', 'AWAITING_PAYMENT', ...pendingFirst, 'COMPLETED'],
  );
  assert.equal(await shop.balance(assetId), earned + (25n * 10n ** BigInt(decimals)) / 2n);
  const event = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assertSameCheckout(event.data.checkout, completed);
  assert.deepEqual(await shop.typesOf(id), toldOf(paying, 'COMPLETED'));
  const sequences = shop.eventsOf(id).map(({ sequence }) => sequence);
  assert.deepEqual(sequences, paying.finish === undefined ? [1] : [1, 2]);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
}

async function payInParts(shop: LiveShop, paying: Paying): Promise<void> {
  const { assetId, decimals } = paying;
  const one = 10n ** BigInt(decimals);
  const earned = await shop.balance(assetId);
  const held = await shop.balance(assetId, 'merchant:pending');
  const committed = await paying.open('3');
  const { checkoutId: id } = committed;
  await paying.pay(committed, '1');
  await waitUntilFinal(shop, paying, id);
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(assetId), earned);
  assert.equal(await shop.balance(assetId, 'merchant:pending'), held + one);

  await paying.pay(committed, '2');
  await paying.finish?.();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '3');
  assert.equal(completed.blockchainTransactions.length, 2);
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(assetId), earned + 3n * one);
  assert.equal(await shop.balance(assetId, 'merchant:pending'), held);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  const types = await shop.typesOf(id);
  assert.equal(types.filter((type) => type === 'CHECKOUT_COMPLETED').length, 1);
}

/** One smallest unit short. */
async function payTooLittle(shop: LiveShop, paying: Paying): Promise<void> {
  const { assetId, decimals } = paying;
  const earned = await shop.balance(assetId);
  const held = await shop.balance(assetId, 'merchant:pending');
  const committed = await paying.open('3');
  const { checkoutId: id } = committed;
  const amount = `2.${'9'.repeat(decimals)}`;
  await paying.pay(committed, amount);
  await paying.finish?.();
  const underpaid = await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, amount);
  assert.equal(underpaid.settlementAmountReceived, '0');
  await shop.waitForEvent(id, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance(assetId), earned);
  const units = 3n * 10n ** BigInt(decimals) - 1n;
  assert.equal(await shop.balance(assetId, 'merchant:pending'), held + units);
}

async function payTooMuch(shop: LiveShop, paying: Paying): Promise<void> {
  const { assetId, decimals } = paying;
  const earned = await shop.balance(assetId);
  const committed = await paying.open('3');
  const { checkoutId: id } = committed;
  await paying.pay(committed, '4');
  await paying.finish?.();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  const assetCode = assetId.split(':')[0];
  assert.deepEqual(completed.flags, { overpaid: { amount: '1', assetCode } });
  assert.equal(completed.settlementAmountReceived, '4');
  assert.equal(await shop.balance(assetId), earned + 4n * 10n ** BigInt(decimals));
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
}

async function payLate(shop: LiveShop, paying: Paying): Promise<void> {
  const { assetId, decimals } = paying;
  const earned = await shop.balance(assetId);
  const committed = await paying.open('3');
  const { checkoutId: id } = committed;
  await shop.endWindowIn(id, -60);
  await shop.client.waitForState(id, 'EXPIRED');
  await shop.waitForEvent(id, 'CHECKOUT_EXPIRED');
  await paying.pay(committed, '3');
  await waitUntilFinal(shop, paying, id);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(Object.keys(completed.flags), ['late']);
  assert.equal(await shop.balance(assetId), earned + 3n * 10n ** BigInt(decimals));
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.deepEqual(await shop.typesOf(id), ['CHECKOUT_EXPIRED', ...toldOf(paying, 'COMPLETED')]);
}

/** So many checkouts of 1; `payAll` pays all of them together. */
export async function payManyAtOnce(
  shop: LiveShop,
  paying: Paying,
  count: number,
  payAll: (opened: readonly Committed[]) => void | Promise<void>,
): Promise<void> {
  const { assetId, decimals } = paying;
  const earned = await shop.balance(assetId);
  const opened = await Promise.all(Array.from({ length: count }, () => paying.open('1')));
  await payAll(opened);
  await paying.finish?.();
  const isTold = ({ checkoutId: id }: Committed) =>
    shop.eventsOf(id).some(({ eventType }) => eventType === 'CHECKOUT_COMPLETED');
  const told = () => opened.filter(isTold);
  await waitUntil(`${count} webhooks`, () => told().length === count);
  assert.equal(await shop.balance(assetId), earned + BigInt(count) * 10n ** BigInt(decimals));
}

async function waitUntilFinal(shop: LiveShop, { finish }: Paying, id: string): Promise<void> {
  if (finish === undefined) return;
  await shop.client.waitForState(id, 'PENDING');
  await finish();
}

/** Types of the events of a payment that ends so. */
function toldOf({ finish }: Paying, end: string): string[] {
  return [...(finish === undefined ? [] : ['CHECKOUT_PENDING']), `CHECKOUT_${end}`];
}
