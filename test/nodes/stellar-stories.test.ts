// The main job on Stellar, through the HTTP API only: our server is a process of its own, the customer
// a wallet that signs with the official library. After every story the books agree with the account.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { Asset, Memo, Operation } from '@stellar/stellar-base';
import { muxed, seededKey, USDC } from '#test/fakes/stellar-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { type Paying, payManyAtOnce, tellPaymentStories } from './payment-stories.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';

/** More than are read, settled or told of together. */
const MANY = byLength({ short: 30, long: 100 });

let shop: StellarShop;
before(async () => {
  shop = await openStellarShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);
const lumens: Paying = {
  assetId: XLM,
  decimals: 7,
  open: (amount) => shop.open(amount),
  pay: (committed, amount) => shop.pay(committed, amount),
  checkInstructions({ address, memo }) {
    assert.equal(address, shop.account);
    assert.match(String(memo), /^\d{7,19}$/);
  },
};

tellPaymentStories(story, () => shop, lumens);

story('an issued asset is paid by id memo, and lumens by a muxed account', async () => {
  const issued = await shop.open('7.25', USDC);
  shop.pay(issued, '7.25', { memo: Memo.id(String(issued.depositInstructions.memo)) });
  const native = await shop.open('3');
  const to = muxed(shop.account, String(native.depositInstructions.memo));
  shop.send([Operation.payment({ destination: to, asset: Asset.native(), amount: '3' })], {});
  for (const { checkoutId } of [issued, native]) {
    await shop.client.waitForState(checkoutId, 'COMPLETED');
    await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  }
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

story(`${MANY} checkouts paid in one ledger are all completed, credited and told`, () =>
  payManyAtOnce(shop, lumens, MANY, (opened) => {
    for (const { depositInstructions } of opened) {
      const payment = { destination: shop.account, asset: Asset.native(), amount: '1' };
      const memo = Memo.text(String(depositInstructions.memo));
      shop.stellar.send([Operation.payment(payment)], { from: shop.customer, memo });
    }
    shop.stellar.close();
    shop.horizon().announce();
  }),
);
