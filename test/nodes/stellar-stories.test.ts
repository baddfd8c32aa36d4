// The main job on Stellar, through the HTTP API only: our server is a process of its own, the customer
// a wallet that signs with the official library. After every story the books agree with the account.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Asset, Memo, Operation } from '@stellar/stellar-base';
import { unitsText } from '#test/fakes/stellar-ledger.ts';
import { muxed, seededKey, USDC } from '#test/fakes/stellar-world.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';

let shop: StellarShop;
before(async () => {
  shop = await openStellarShop();
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
  const earned = await shop.balance(XLM);
  const committed = await shop.open('12.5');
  const { checkoutId: id, depositInstructions, settlement } = committed;
  assert.equal(depositInstructions.address, shop.account);
  assert.equal(depositInstructions.amount, '12.5');
  assert.match(String(depositInstructions.memo), /^\d{7,19}$/);
  const hash = shop.pay(committed, '12.5');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(completed.settlementAmountReceived, settlement.amount);
  assert.deepEqual(
    completed.blockchainTransactions.map(({ tx, amount }) => [tx, amount]),
    [[hash, '12.5']],
  );
  assert.equal(await shop.balance(XLM), earned + 125_000_000n);
  const event = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.deepEqual(event.data.checkout, completed, 'the webhook says what GET /checkout says');
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
});

story('an issued asset is paid by id memo, and lumens by a muxed account', async () => {
  const issued = await shop.open('7.25', USDC);
  shop.pay(issued, '7.25', { memo: Memo.id(String(issued.depositInstructions.memo)) });
  const lumens = await shop.open('3');
  const to = muxed(shop.account, String(lumens.depositInstructions.memo));
  shop.send([Operation.payment({ destination: to, asset: Asset.native(), amount: '3' })], {});
  for (const { checkoutId } of [issued, lumens]) {
    await shop.client.waitForState(checkoutId, 'COMPLETED');
    await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  }
});

story('two partial payments complete a checkout', async () => {
  const earned = await shop.balance(XLM);
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  shop.pay(committed, '1');
  await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(await shop.balance(XLM), earned);
  assert.equal(await shop.balance(XLM, 'merchant:pending'), 10_000_000n);
  shop.pay(committed, '2');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '3');
  assert.equal(completed.blockchainTransactions.length, 2);
  assert.equal(await shop.balance(XLM), earned + 30_000_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('an underpaid checkout is never completed, and what came is kept apart', async () => {
  const earned = await shop.balance(XLM);
  const held = await shop.balance(XLM, 'merchant:pending');
  const committed = await shop.open('3');
  const { checkoutId: id } = committed;
  // One unit short.
  shop.pay(committed, '2.9999999');
  const underpaid = await shop.client.waitForState(id, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '2.9999999');
  await shop.waitForEvent(id, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance(XLM), earned);
  assert.equal(await shop.balance(XLM, 'merchant:pending'), held + 29_999_999n);
});

story('an overpaid checkout is completed once and credited what came', async () => {
  const earned = await shop.balance(XLM);
  const committed = await shop.open('3');
  shop.pay(committed, '4');
  const completed = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.deepEqual(completed.flags, { overpaid: { amount: '1', assetCode: 'XLM' } });
  assert.equal(await shop.balance(XLM), earned + 40_000_000n);
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

story('a path payment, a fee bump and an account merge count with what arrived', async () => {
  const { customer, stellar, account } = shop;
  const swapped = await shop.open('8', USDC);
  const path = Operation.pathPaymentStrictSend({
    sendAsset: Asset.native(),
    sendAmount: '90',
    destination: account,
    destAsset: new Asset('USDC', USDC.split(':')[1]),
    destMin: '7',
  });
  const memo = Memo.text(String(swapped.depositInstructions.memo));
  shop.send([path], { memo, arrives: 80_000_000n });
  const bumped = await shop.open('2');
  const hash = shop.pay(bumped, '2', { bumpedBy: customer });
  const merged = await shop.open('5');
  stellar.addAccount(seededKey(30), 50_000_100n);
  shop.send([Operation.accountMerge({ destination: account })], {
    from: seededKey(30),
    memo: Memo.text(String(merged.depositInstructions.memo)),
  });
  for (const { checkoutId } of [swapped, bumped, merged]) {
    await shop.client.waitForState(checkoutId, 'COMPLETED');
  }
  const { blockchainTransactions } = await shop.client.findCheckout(bumped.checkoutId);
  assert.deepEqual(
    blockchainTransactions.map(({ tx }) => tx),
    [hash],
  );
});

story('100 checkouts paid in one ledger are all completed, credited and told', async () => {
  const count = 100;
  const earned = await shop.balance(XLM);
  const opened: Committed[] = [];
  for (let index = 0; index < count; index += 1) opened.push(await shop.open('1'));
  for (const { depositInstructions } of opened) {
    const payment = {
      destination: shop.account,
      asset: Asset.native(),
      amount: unitsText(10n ** 7n),
    };
    const memo = Memo.text(String(depositInstructions.memo));
    shop.stellar.send([Operation.payment(payment)], { from: shop.customer, memo });
  }
  shop.stellar.close();
  shop.horizon().announce();
  const told = () =>
    opened.filter(({ checkoutId }) => typesOf(checkoutId).includes('CHECKOUT_COMPLETED'));
  await waitUntil('the webhooks', () => told().length === count);
  assert.equal(await shop.balance(XLM), earned + BigInt(count) * 10_000_000n);
});
