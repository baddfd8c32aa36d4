// WalletConnect on the payment page, in a real Chromium, with the wallet side of its own makers, on a real
// EVM node: from the page to COMPLETED. Run by npm run test:walletconnect.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { findAxeFaults } from '#test/browser/axe.ts';
import { openBrowserPage } from '#test/browser/browser.ts';
import { openShopFrame } from '#test/browser/shop-frame.ts';
import {
  openWalletConnectRelay,
  type WalletConnectRelay,
} from '#test/fakes/walletconnect-relay.ts';
import { ETH, type EvmShop, openEvmShop, USDC } from '#test/nodes/evm-shop.ts';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type Owner, openRealWallet, type RealWallet } from './real-wallet.ts';

const PHONE = { width: 390, height: 844, hasTouch: true };
const DESK = { width: 1280, height: 800 };

let relay: WalletConnectRelay;
let shop: EvmShop;
let wallet: RealWallet;
before(async () => {
  relay = await openWalletConnectRelay();
  const settings = {
    WALLETCONNECT_PROJECT_ID: relay.projectId,
    WALLETCONNECT_RELAY_URL: relay.url,
  };
  shop = await openEvmShop({ settings });
  await shop.untilOffered(['ETHEREUM']);
  wallet = await openRealWallet(relay, shop.node);
});
after(async () => {
  await shop?.close();
  await relay?.close();
});

async function openPage(amount: string, assetId: string, viewport: object = DESK) {
  const committed = await shop.open(amount, assetId);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(committed.checkoutId);
  const opened = await openBrowserPage(viewport);
  const requests: string[] = [];
  opened.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, shop.server.origin);
  const answer = await opened.page.goto(url);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  return { ...opened, ...committed, requests, policy, url };
}

/** The first click loads what is needed and asks; later ones ask again. */
async function clickConnect(page: Page | Frame): Promise<string> {
  await page.click('#connect:not([hidden]), #wallet-walletconnect');
  await page.waitForSelector('#connect-window');
  return (await page.getAttribute('#connect-link', 'href')) ?? '';
}

const says = (page: Page | Frame, text: RegExp) =>
  waitUntil(`the page to say ${text}`, async () =>
    text.test((await page.textContent('#wallet-status')) ?? ''),
  );

for (const [what, assetId, amount, viewport] of [
  ['a coin on a desktop', ETH, '0.25', DESK],
  ['a token on a telephone', USDC, '12.34', PHONE],
] as const) {
  test(`${what} is paid by a scan and a yes in the wallet, up to COMPLETED`, async () => {
    const { page, context, faults, checkoutId, requests, policy } = await openPage(
      amount,
      assetId,
      viewport,
    );
    await page.waitForSelector('#connect:not([hidden])');
    assert.deepEqual(
      requests.filter((path) => /walletconnect|chacha|wallets-/.test(path)),
      [],
      'nothing of it is loaded before somebody clicks',
    );
    assert.match(policy, new RegExp(`connect-src 'self' ${relay.url}(?:;|$)`));
    const [before, origins] = [wallet.hashes.length, relay.origins.length];
    const link = await clickConnect(page);
    assert.deepEqual(relay.origins.slice(origins), [shop.server.origin]);
    const drawn = await page.innerHTML('#connect-window');
    assert.equal(readSvgCode(drawn.slice(drawn.indexOf('<svg'))), link, 'the code is the link');
    assert.deepEqual(await findAxeFaults(page), []);
    const [, topic = ''] = /^wc:([0-9a-f]+)@/.exec(link) ?? [];
    // Anybody who learns a topic can publish there.
    const meanwhile = () => {
      relay.publish(topic, 'AAAA', 1101);
      relay.publish(topic, Buffer.alloc(80, 3).toString('base64'), 1101);
    };
    await wallet.scan(link, { meanwhile });
    await says(page, /^Sent\. /);
    assert.equal(await page.locator('#connect-window').count(), 0);
    assert.equal(wallet.hashes.length, before + 1, 'once');
    await shop.include();
    await page.waitForSelector('#main[data-state="seen"]');
    await shop.finish();
    await page.waitForSelector('#main[data-state="paid"]');
    const checkout = await shop.client.waitForState(checkoutId, 'COMPLETED');
    const [payment] = checkout.blockchainTransactions;
    assert.equal(payment?.amount, amount, 'neither more nor less than was asked for');
    await waitUntil('the session to be ended', () => wallet.openSessions() === 0);
    assert.deepEqual(faults, []);
    await context.close();
    await shop.checkBooks();
  });
}

const NOTHING: readonly (readonly [string, Owner, RegExp])[] = [
  [
    'says no to the connection',
    { refuses: 'proposal' },
    /You said no in your wallet\. Nothing was sent\./,
  ],
  [
    'says no to the payment',
    { refuses: 'payment' },
    /You said no in your wallet\. Nothing was sent\./,
  ],
  [
    'has an account on another chain alone',
    { accounts: [`eip155:10:0x${'11'.repeat(20)}`] },
    /does not know the Ethereum network/,
  ],
  ['answers with what is no hash', { answers: '0x1234' }, /could not do that\. Look there/],
  ['ends the session instead', { ends: true }, /ended the connection\. Look there/],
];

test('whatever a wallet does instead of paying is told in plain words, and can be tried again', async () => {
  const { page, context, faults } = await openPage('1.5', USDC);
  const before = wallet.hashes.length;
  for (const [what, owner, words] of NOTHING) {
    await wallet.scan(await clickConnect(page), owner);
    await page.waitForSelector('#wallet-walletconnect:enabled');
    assert.match((await page.textContent('#wallet-status')) ?? '', words, what);
    await waitUntil(`${what}: the session to be ended`, () => wallet.openSessions() === 0);
  }
  assert.equal(wallet.hashes.length, before);
  // Who closes the window has asked nothing of anybody.
  await clickConnect(page);
  await page.click('#connect-window button:last-of-type');
  await says(page, /^$/);
  await wallet.scan(await clickConnect(page));
  await says(page, /^Sent\. /);
  assert.equal(wallet.hashes.length, before + 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a browser that sleeps while the wallet is open hears of the answer afterwards', async () => {
  const { page, context } = await openPage('0.5', ETH, PHONE);
  let drops = 0;
  const meanwhile = () => {
    drops += 1;
    relay.dropAll();
  };
  const link = await clickConnect(page);
  const apps = await page.locator('#connect-window .wallet-apps a').all();
  const addresses = await Promise.all(apps.map((app) => app.getAttribute('href')));
  assert.deepEqual(
    addresses.map((address) => new URL(address ?? '').searchParams.get('uri')),
    [link, link],
  );
  await wallet.scan(link, { meanwhile });
  await says(page, /^Sent\. /);
  assert.equal(drops, 2);
  await context.close();
});

test('inside a frame of a shop of another site it pays as it does elsewhere', async () => {
  const { checkoutId } = await shop.open('2', USDC);
  const { hostedCheckoutUrl } = await shop.client.findCheckout(checkoutId);
  const { context, frame, close } = await openShopFrame(shop.server, hostedCheckoutUrl);
  await wallet.scan(await clickConnect(frame));
  await says(frame, /^Sent\. /);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  await context.close();
  await close();
});

test('where the relay is away, the payer is told to pay with the code', async () => {
  const { page, context } = await openPage('1', ETH);
  await relay.close();
  await page.click('#connect');
  await says(page, /WalletConnect cannot be reached from here\. Pay with the code/);
  await context.close();
});
