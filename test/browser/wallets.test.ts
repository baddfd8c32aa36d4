// Paying from a wallet in the browser, in a real Chromium, on a real EVM node: from the page to
// COMPLETED without copying anything.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type AnvilNode, startAnvil } from '#test/nodes/anvil-node.ts';
import {
  ETH,
  type EvmShop,
  newExtendedPublicKey,
  openEvmShop,
  USDC,
  unitsOf,
} from '#test/nodes/evm-shop.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openBrowserPage } from './browser.ts';
import { type InjectedWallet, injectWallet, type WalletOptions } from './injected-wallet.ts';
import { openShopFrame } from './shop-frame.ts';

const NAME = 'Foxy <b>Wallet</b>';
/** Nobody has ever sent anything to it. */
const EMPTY = '0x000000000000000000000000000000000000dEaD';

let base: AnvilNode;
let shop: EvmShop;
before(async () => {
  base = await startAnvil({ chainId: 84_531 });
  await base.mine(3);
  const settings = {
    BASE_RPC_URLS: base.url,
    BASE_CHAIN: 'dev',
    BASE_CHAIN_ID: '84531',
    BASE_XPUB: newExtendedPublicKey(),
  };
  shop = await openEvmShop({ settings });
  await shop.untilOffered(['ETHEREUM', 'BASE']);
});
after(async () => {
  await shop?.close();
  await base?.stop();
});

/** The page of a checkout that asks for this, in a browser with such a wallet. */
async function openPage(amount: string, assetId: string, options: Partial<WalletOptions> = {}) {
  return openPageOf(await shop.open(amount, assetId), shop.node, options);
}

async function openPageOf(committed: Committed, node: AnvilNode, options: Partial<WalletOptions>) {
  const { hostedCheckoutUrl } = await shop.client.findCheckout(committed.checkoutId);
  const opened = await openBrowserPage({ width: 390, height: 844 });
  const wallet = await injectWallet(opened.context, node, { name: NAME, ...options });
  await opened.page.goto(hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin));
  await opened.page.waitForSelector('#wallets:not([hidden]) button');
  return { ...opened, ...committed, wallet };
}

const clickWallet = (page: Page) => page.click('#wallets button');
const says = (page: Page, text: RegExp) =>
  waitUntil(`the page to say ${text}`, async () =>
    text.test((await page.textContent('#wallet-status')) ?? ''),
  );
const sentCount = ({ asked }: InjectedWallet) =>
  asked.filter((method) => /^(?:eth_sendTransaction|wallet_sendCalls)$/.test(method)).length;

for (const [what, assetId, amount] of [
  ['a coin', ETH, '0.25'],
  ['a token', USDC, '12.34'],
] as const) {
  test(`${what} is paid by one click and a yes in the wallet, up to COMPLETED`, async () => {
    const { page, context, faults, checkoutId, wallet } = await openPage(amount, assetId);
    const button = page.locator('#wallets button');
    assert.equal(await button.textContent(), `Pay with ${NAME}`, 'a name is a text, never markup');
    assert.deepEqual(wallet.asked, [], 'a wallet is asked nothing before somebody clicks');
    await clickWallet(page);
    await says(page, /^Sent\. /);
    assert.equal(wallet.hashes.length, 1);
    await shop.include();
    await page.waitForSelector('#main[data-state="seen"]');
    await shop.finish();
    await page.waitForSelector('#main[data-state="paid"]');
    const checkout = await shop.client.waitForState(checkoutId, 'COMPLETED');
    const [payment] = checkout.blockchainTransactions;
    assert.equal(payment?.amount, amount, 'neither more nor less than was asked for');
    assert.deepEqual(faults, []);
    await context.close();
    await shop.checkBooks();
  });
}

test('a wallet on another chain is asked to change to that of the payment', async () => {
  const { page, context, wallet } = await openPage('1', ETH, { chainId: '0x2105' });
  await clickWallet(page);
  await says(page, /^Sent\. /);
  assert.equal(wallet.asked.filter((one) => one === 'wallet_switchEthereumChain').length, 1);
  await context.close();
});

test('a wallet that lacks the chain is told what it is, where we know (EIP-3085)', async () => {
  let onBase: Committed | undefined;
  await waitUntil('Base to be offered', async () => {
    // What a checkout may be paid by is said when it is made.
    const id = await shop.create({ currency: 'ETH', amount: '1' });
    onBase = await shop.client.commit(id, 'BASE', ETH).catch(() => undefined);
    return onBase !== undefined;
  });
  assert(onBase !== undefined);
  const lacks = { chainId: '0x1', lacksChain: true };
  const { page, context, wallet } = await openPageOf(onBase, base, lacks);
  await clickWallet(page);
  await says(page, /^Sent\. /);
  assert.deepEqual(wallet.added, [
    {
      chainId: '0x14a33',
      chainName: 'Base',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['https://mainnet.base.org'],
    },
  ]);
  await context.close();
  // Every wallet knows Ethereum: for one that does not, there is nothing to add.
  const other = await openPage('1', ETH, lacks);
  await clickWallet(other.page);
  await says(other.page, /does not know the Ethereum network/);
  assert.equal(sentCount(other.wallet), 0);
  await other.context.close();
});

test('who says no in the wallet is told that nothing was sent, and may try again', async () => {
  for (const method of ['eth_requestAccounts', 'eth_sendTransaction']) {
    const { page, context, wallet } = await openPage('1', USDC, { refuses: [method] });
    await clickWallet(page);
    await says(page, /You said no in your wallet\. Nothing was sent\./);
    assert.deepEqual(wallet.hashes, []);
    assert.equal(await page.locator('#wallets button').isEnabled(), true);
    await context.close();
  }
});

test('an account that holds too little is named before anything is sent', async () => {
  const { page, context, wallet } = await openPage('2.5', USDC, { account: EMPTY });
  await clickWallet(page);
  await says(page, /^The account 0x0000…dEaD holds 0 USDC, and 2\.5 USDC are needed\./);
  assert.equal(sentCount(wallet), 0);
  wallet.use(shop.node.payer);
  await clickWallet(page);
  await says(page, /^Sent\. /);
  await context.close();
});

test('a wallet that takes calls only is given the one call (EIP-5792)', async () => {
  const { page, context, checkoutId, wallet } = await openPage('3', USDC, { takesCalls: true });
  await clickWallet(page);
  await says(page, /^Sent\. /);
  assert.equal(wallet.hashes.length, 1);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  await context.close();
});

test('two clicks send once, and after a reload the page says that it was sent', async () => {
  const { page, context, wallet } = await openPage('1.5', USDC);
  await page.dblclick('#wallets button');
  await says(page, /^Sent\. /);
  assert.equal(sentCount(wallet), 1);
  await page.reload();
  await says(page, /^Sent\. /);
  const button = page.locator('#wallets button');
  assert.equal(await button.textContent(), `Send again with ${NAME}`);
  await context.close();
});

test('what is still to pay after a part is what the wallet sends next', async () => {
  const { page, context, wallet, ...committed } = await openPage('10', USDC);
  await shop.pay(committed, '4', USDC);
  await shop.include();
  await shop.finish();
  await page.waitForSelector('#main[data-state="partial"]');
  await page.waitForSelector('#wallets:not([hidden]) button');
  await clickWallet(page);
  await says(page, /^Sent\. /);
  await shop.include();
  await shop.finish();
  const checkout = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  const paid = checkout.blockchainTransactions.map(({ amount }) => unitsOf(amount, USDC));
  assert.deepEqual(paid.toSorted(), [unitsOf('4', USDC), unitsOf('6', USDC)]);
  await context.close();
});

test('inside a frame of a shop of another site a wallet pays, and another window is offered', async () => {
  const { checkoutId } = await shop.open('1.25', ETH);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(checkoutId);
  const opened = await openShopFrame(shop.server, hostedCheckoutUrl, (context) =>
    injectWallet(context, shop.node, { name: NAME }),
  );
  const { context, frame, page } = opened;
  await frame.click('#wallets:not([hidden]) button');
  await waitUntil('the page in the frame to say that it was sent', async () =>
    /^Sent\. /.test((await frame.textContent('#wallet-status')) ?? ''),
  );
  // For wallets that do not look into frames.
  const [own] = await Promise.all([context.waitForEvent('page'), frame.click('#own-window')]);
  await own.waitForSelector('#main[data-state="pay"] #wallets:not([hidden]) button');
  assert.equal(await own.locator('#own-window').isVisible(), false, 'it stands alone already');
  assert.match(page.url(), /^https:\/\/127\.81\.84\.1:/, 'the shop stays where it is');
  await shop.include();
  for (const one of [frame, own]) await one.waitForSelector('#main[data-state="seen"]');
  await shop.finish();
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  await context.close();
  await opened.close();
});

test('a browser without a wallet loads no script for one', async () => {
  const { checkoutId } = await shop.open('1', ETH);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(checkoutId);
  const { page, context } = await openBrowserPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin));
  await page.waitForSelector('#main[data-state="pay"]');
  assert.equal(await page.locator('#wallets').isHidden(), true);
  assert.deepEqual(
    asked.filter((url) => url.includes('wallets')),
    [],
  );
  await context.close();
});
