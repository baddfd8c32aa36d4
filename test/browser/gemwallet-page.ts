// The page of a checkout in a real Chromium with GemWallet as its extension plays it: what its
// content script hears and answers (GemWallet/gemwallet-extension,
// packages/extension/src/chromeServices/content/index.ts, src/App.tsx and
// src/components/pages/Transaction/Transaction.tsx). Who pays is given.
import { openBrowserPage } from './browser.ts';

export type GemMessage = {
  readonly source: string;
  readonly messageId: number;
  readonly app: string;
  readonly type: string;
  readonly payload?: GemPayment;
};

export type GemPayment = {
  readonly amount: string;
  readonly destination: string;
  readonly destinationTag?: number;
};

export type GemWallet = {
  /** `Mainnet`, `Testnet`, `Devnet` or `Custom`. */
  network: string;
  /** The hash, or undefined when its owner says no or closes the window. */
  pay: (payment: GemPayment) => string | undefined;
  /** Another question of it is open: this one is not answered. */
  isBusy: boolean;
  /** What it was asked, in order. */
  readonly asked: GemMessage[];
};

/** Heard only some time after the page is loaded, as content scripts are. */
const CONTENT_SCRIPT = `addEventListener('load', () => setTimeout(() => {
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== window.origin || source !== window) return;
    if (data.source !== 'GEM_WALLET_MSG_REQUEST') return;
    const answer = await window.askGemWallet(data);
    if (answer === null) return;
    const { messageId: messagedId } = data;
    postMessage({ source: 'GEM_WALLET_MSG_RESPONSE', messagedId, ...answer }, location.origin);
  });
}, 200));`;

/** The page waits so long for a wallet that does not answer: less where the test says so. */
const SHORT_WAIT = `const wait = setTimeout;
window.setTimeout = (act, ms) => wait(act, window.isHurried && ms === 15000 ? 50 : ms);`;

export async function openGemWalletPage(url: string, wallet: Omit<GemWallet, 'asked'>) {
  const opened = await openBrowserPage({ width: 1280, height: 800 });
  const asked: GemMessage[] = [];
  const gem: GemWallet = { ...wallet, asked };
  await opened.context.exposeFunction('askGemWallet', (message: GemMessage) => {
    asked.push(message);
    return answer(gem, message);
  });
  await opened.context.addInitScript({ content: CONTENT_SCRIPT });
  await opened.context.addInitScript({ content: SHORT_WAIT });
  await opened.page.goto(url);
  await opened.page.waitForSelector('#wallets:not([hidden]) button');
  return { ...opened, gem };
}

function answer(gem: GemWallet, { type, payload }: GemMessage) {
  if (type === 'REQUEST_IS_INSTALLED/V3') return { isInstalled: true };
  if (gem.isBusy) return null;
  if (type === 'REQUEST_GET_NETWORK/V3') {
    const websocket = 'wss://s1.ripple.com';
    return { result: { chain: 'XRPL', network: gem.network, websocket }, error: undefined };
  }
  if (type === 'REQUEST_SEND_PAYMENT/V3' && payload !== undefined) {
    const hash = gem.pay(payload);
    return { result: hash === undefined ? null : { hash }, error: undefined };
  }
  return null;
}
