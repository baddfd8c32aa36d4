// The main job on the XRP Ledger, through the HTTP API only: our server is a process of its own, the
// customer a wallet that signs with the official libraries. After every story the books agree with
// the account.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PARTIAL_PAYMENT } from '#test/fakes/xrpl-ledger.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openXrplShop, type XrplShop } from './xrpl-shop.ts';

let shop: XrplShop;
before(async () => {
  shop = await openXrplShop();
});
after(() => shop?.close());

function story(name: string, act: () => Promise<void>): void {
  test(name, async () => {
    await act();
    await shop.checkBooks();
  });
}

const typesOf = (id: string) => shop.eventsOf(id).map(({ eventType }) => eventType);

story('a checkout paid in full is completed, credited and told', async () => {
  const earned = await shop.balance(XRP);
  const committed = await shop.open('12.5');
  const { checkoutId: id, depositInstructions, settlement } = committed;
  assert.equal(depositInstructions.address, shop.account);
  assert.equal(depositInstructions.amount, '12.5');
  const { destinationTag, paymentUri } = depositInstructions;
  assert(Number(destinationTag) > 0 && Number(destinationTag) < 2 ** 32);
  assert.equal(
    paymentUri,
    `ripple:${shop.account}?to=${shop.account}&dt=${destinationTag}&amount=12.5`,
  );
  const hash = shop.pay(committed, '12.5');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(completed.settlementAmountReceived, settlement.amount);
  assert.deepEqual(
    completed.blockchainTransactions.map(({ tx, amount }) => [tx, amount]),
    [[hash, '12.5']],
  );
  assert.equal(await shop.balance(XRP), earned + 12_500_000n);
  const event = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.deepEqual(event.data.checkout, completed, 'the webhook says what GET /checkout says');
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
});

story('two partial payments complete a checkout', async () => {
  const earned = await shop.balance(XRP);
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  shop.pay(committed, '1');
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(XRP), earned);
  assert.equal(await shop.balance(XRP, 'merchant:pending'), 1_000_000n);
  shop.pay(committed, '2');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '3');
  assert.equal(completed.blockchainTransactions.length, 2);
  assert.equal(await shop.balance(XRP), earned + 3_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('an underpaid checkout is never completed, and what came is kept apart', async () => {
  const earned = await shop.balance(XRP);
  const held = await shop.balance(XRP, 'merchant:pending');
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  // One drop short.
  shop.pay(committed, '2.999999');
  const underpaid = await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '2.999999');
  await shop.waitForEvent(id, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance(XRP), earned);
  assert.equal(await shop.balance(XRP, 'merchant:pending'), held + 2_999_999n);
});

story('a payment that names a million and delivers one counts as one', async () => {
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  shop.pay(committed, '1', {
    fields: { Flags: PARTIAL_PAYMENT, Amount: '1000000000000', SendMax: '2000000' },
    stated: '1000000',
    delivered: '1000000',
  });
  const underpaid = await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '1');
});

story('an overpaid checkout is completed once and credited what came', async () => {
  const earned = await shop.balance(XRP);
  const committed = await shop.open('3');
  shop.pay(committed, '4');
  const completed = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.deepEqual(completed.flags, { overpaid: { amount: '1', assetCode: 'XRP' } });
  assert.equal(await shop.balance(XRP), earned + 4_000_000n);
});

story('a payment after expiry is still credited', async () => {
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  await shop.endWindowIn(id, -60);
  await shop.client.waitForState(id, 'EXPIRED');
  await shop.waitForEvent(id, 'CHECKOUT_EXPIRED');
  shop.pay(committed, '3');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(Object.keys(completed.flags), ['late']);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('100 checkouts paid in one ledger are all completed, credited and told', async () => {
  const count = 100;
  const earned = await shop.balance(XRP);
  const opened: Committed[] = [];
  for (let index = 0; index < count; index += 1) opened.push(await shop.open('1'));
  for (const { depositInstructions } of opened.slice(1)) {
    const tag = BigInt(depositInstructions.destinationTag ?? 0);
    shop.xrpl.pay({ from: shop.customer, to: shop.account, drops: 1_000_000n, tag });
  }
  const [last] = opened;
  assert(last !== undefined);
  shop.pay(last, '1');
  const told = () =>
    opened.filter(({ checkoutId }) => typesOf(checkoutId).includes('CHECKOUT_COMPLETED'));
  await waitUntil('the webhooks', () => told().length === count);
  assert.equal(await shop.balance(XRP), earned + BigInt(count) * 1_000_000n);
});
