// The main job on the XRP Ledger, through the HTTP API only: our server is a process of its own, the
// customer a wallet that signs with the official libraries. After every story the books agree with
// the account.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { openBrowserPage } from '#test/browser/browser.ts';
import { type GemPayment, openGemWalletPage } from '#test/browser/gemwallet-page.ts';
import { PARTIAL_PAYMENT } from '#test/fakes/xrpl-ledger.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { walletMessages } from '#test/fixtures/wallet-messages.ts';
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

function closeLedger() {
  shop.xrpl.close();
  shop.rippled().announce();
}

/** The page of a checkout with the extension GemWallet, whose owner pays with the customer's key. */
async function openWithGemWallet(amount: string) {
  const committed = await shop.open(amount);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(committed.checkoutId);
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin);
  const pay = ({ amount: drops, destination: to, destinationTag: tag }: GemPayment) => {
    const hash = shop.xrpl.pay({ from: shop.customer, to, drops: BigInt(drops), tag });
    return hash;
  };
  const opened = await openGemWalletPage(url, { network: 'Testnet', isBusy: false, pay });
  return { ...opened, ...committed };
}

story('GemWallet pays by one click, asked as its own library asks it', async () => {
  const { page, context, faults, asked, says, checkoutId, depositInstructions } =
    await openWithGemWallet('2.5');
  assert.equal(await page.textContent('#wallets button'), 'Pay with GemWallet');
  const types = () => [...new Set(asked.map(({ type }) => type))];
  assert.deepEqual(types(), ['REQUEST_IS_INSTALLED/V3'], 'it is asked nothing before a click');
  await says(/^Sent\. /);
  closeLedger();
  const { address: destination, destinationTag } = depositInstructions;
  const sent = asked.map((message) => JSON.stringify({ ...message, messageId: 0 }));
  const wanted = walletMessages('gemwallet', {
    destination,
    destinationTag: Number(destinationTag),
  });
  assert.deepEqual([...new Set(sent)], wanted);
  const checkout = await shop.client.waitForState(checkoutId, 'COMPLETED');
  assert.equal(checkout.blockchainTransactions[0]?.amount, '2.5');
  assert.deepEqual(faults, []);
  await context.close();
});

story('GemWallet on another network, a no, and a wallet that is locked are told', async () => {
  const { page, context, gem, asked, says } = await openWithGemWallet('1');
  const payments = () => asked.filter(({ type }) => type.includes('SEND_PAYMENT')).length;
  gem.network = 'Mainnet';
  await says(/another network\. Change it to the XRP Ledger network/);
  gem.network = 'Custom';
  await says(/another network/);
  assert.equal(payments(), 0, 'nothing is asked for on the wrong network');
  gem.network = 'Testnet';
  gem.isBusy = true;
  await page.evaluate('window.isHurried = true');
  await says(/^Your wallet does not answer\. Open it, unlock it, and try again\.$/);
  gem.isBusy = false;
  await page.evaluate('window.isHurried = false');
  const { pay } = gem;
  gem.pay = () => undefined;
  await says(/^You said no in your wallet\. Nothing was sent\.$/);
  assert.equal(payments(), 1);
  gem.pay = pay;
  await says(/^Sent\. /);
  await says.everSaid('Send again with GemWallet');
  closeLedger();
  await context.close();
});

story('a wallet of other networks has no button here, and the page goes on', async () => {
  const { checkoutId } = await shop.open('1');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(checkoutId);
  const { page, context } = await openBrowserPage();
  const info = "{ uuid: 'a', name: 'Of Ethereum' }";
  const event = `new CustomEvent('eip6963:announceProvider', { detail: { info: ${info}, provider: {} } })`;
  const content = `addEventListener('eip6963:requestProvider', () => dispatchEvent(${event}))`;
  await context.addInitScript({ content });
  await page.goto(hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin));
  await page.waitForSelector('#wallets-script', { state: 'attached' });
  await page.waitForFunction('window.quittanceWallets !== undefined');
  assert.equal(await page.locator('#wallets').isHidden(), true);
  await page.click('#trust summary');
  assert.equal(await page.locator('#trust').getAttribute('open'), '');
  await context.close();
});
