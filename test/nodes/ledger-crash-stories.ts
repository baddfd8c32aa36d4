// What networks have in common whose ledgers are final at once, when our server is killed between every
// two steps of the main job or their node goes away in its middle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Committed } from '#test/support/merchant-client.ts';
import { runLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import type { LiveShop } from './open-live-shop.ts';
import { waitForAbsence } from './wait-for-absence.ts';

export type LedgerShop = LiveShop & {
  open(amount: string): Promise<Committed>;
  pay(committed: Committed, amount: string): string;
  waitForTip(): Promise<void>;
  stopNode(): Promise<void>;
  startNode(): Promise<void>;
};

export type LedgerNetwork = {
  readonly network: string;
  readonly assetId: string;
  readonly decimals: number;
  /** An empty one. */
  closeLedger(): void;
};

/** `isShort`: a short run kills between all steps on one such network, and loses the node of each. */
export function tellLedgerCrashStories(
  shopNow: () => LedgerShop,
  on: LedgerNetwork,
  { isShort }: { readonly isShort: boolean },
): void {
  if (isShort || runLength === 'long') tellOfCrashes(shopNow, on);
  test('while the node is away nothing expires, and health says so', () => loseNode(shopNow(), on));
}

function tellOfCrashes(shopNow: () => LedgerShop, on: LedgerNetwork): void {
  test('a server killed between all steps credits once and tells the completion once', () =>
    crashBetweenAllSteps(shopNow(), on));
}

async function crashBetweenAllSteps(shop: LedgerShop, on: LedgerNetwork): Promise<void> {
  const { server, client } = shop;
  const { network, assetId, decimals } = on;
  const crash = async (settings?: Record<string, string>) => {
    await server.kill9();
    await server.start(settings);
  };
  const earned = await shop.balance(assetId);
  const id = await shop.create({ currency: String(assetId.split(':')[0]), amount: '5' });
  // A long run kills between all steps; a short one where something is given out, credited and told of.
  if (runLength === 'long') await crash();
  const committed = await client.commit(id, network, assetId);
  await crash();
  assert.deepEqual(await client.commit(id, network, assetId), committed, 'never made anew');
  // Paid while nobody looks.
  await server.kill9();
  shop.pay(committed, '5');
  for (let ledger = 0; ledger < 5; ledger += 1) on.closeLedger();
  await server.start({ ROLES: 'serve,watch,settle' });
  await client.waitForState(id, 'COMPLETED');
  await crash({ ROLES: 'serve,watch,settle' });
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await crash();
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.waitForTip();
  assert.equal(await shop.balance(assetId), earned + 5n * 10n ** BigInt(decimals));
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await shop.checkBooks();
}

async function loseNode(shop: LedgerShop, { network, closeLedger }: LedgerNetwork): Promise<void> {
  const { server, client } = shop;
  const unpaid = await shop.open('3');
  const paid = await shop.open('4');
  await shop.stopNode();
  closeLedger();
  await shop.endWindowIn(unpaid.checkoutId, 1);
  await waitForAbsence(server, `live:${network}`, unpaid.checkoutId);
  assert.equal((await client.findCheckout(unpaid.checkoutId)).state, 'AWAITING_PAYMENT');
  await shop.startNode();
  shop.pay(paid, '4');
  await client.waitForState(unpaid.checkoutId, 'EXPIRED');
  await client.waitForState(paid.checkoutId, 'COMPLETED');
  await waitUntil('health to be well', async () => (await server.health()).body.status === 'ok');
  await shop.checkBooks();
}
