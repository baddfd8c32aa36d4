// The main job on the XRP Ledger, through the HTTP API only: our server is a process of its own, the
// customer a wallet that signs with the official libraries. After every story the books agree with
// the account.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { PARTIAL_PAYMENT } from '#test/fakes/xrpl-ledger.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { type Paying, payManyAtOnce, tellPaymentStories } from './payment-stories.ts';
import { openXrplShop, type XrplShop } from './xrpl-shop.ts';

/** More than are read, settled or told of together. */
const MANY = byLength({ short: 30, long: 100 });

let shop: XrplShop;
before(async () => {
  shop = await openXrplShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);
const xrp: Paying = {
  assetId: XRP,
  decimals: 6,
  open: (amount) => shop.open(amount),
  pay: (committed, amount) => shop.pay(committed, amount),
  checkInstructions({ address, destinationTag, paymentUri, amount }) {
    assert.equal(address, shop.account);
    assert(Number(destinationTag) > 0 && Number(destinationTag) < 2 ** 32);
    const asked = `to=${shop.account}&dt=${destinationTag}&amount=${amount}`;
    assert.equal(paymentUri, `ripple:${shop.account}?${asked}`);
  },
};

tellPaymentStories(story, () => shop, xrp);

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

story(`${MANY} checkouts paid in one ledger are all completed, credited and told`, () =>
  payManyAtOnce(shop, xrp, MANY, (opened) => {
    for (const { depositInstructions } of opened.slice(1)) {
      const tag = BigInt(depositInstructions.destinationTag ?? 0);
      shop.xrpl.pay({ from: shop.customer, to: shop.account, drops: 1_000_000n, tag });
    }
    const [last] = opened;
    assert(last !== undefined);
    shop.pay(last, '1');
  }),
);
