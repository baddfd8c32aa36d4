// What the page says beside the button of a wallet. It is gone once the payment is seen, which may be
// sooner than a test looks: so all that it ever said is kept.
import type { Page } from 'playwright-core';
import { waitUntil } from '#test/support/shop.ts';

const HEAR = `() => {
  let last;
  new MutationObserver(() => {
    const status = document.getElementById('wallet-status');
    if (status === last) return;
    last = status;
    if (status?.textContent) window.hearWalletStatus(status.textContent);
  }).observe(document, { childList: true, subtree: true });
}`;

/** Before the page is opened. What is given clicks the wallet's button and waits for such an answer. */
export async function hearWalletStatus(page: Page): Promise<(text: RegExp) => Promise<void>> {
  const heard: string[] = [];
  await page.exposeFunction('hearWalletStatus', (text: string) => heard.push(text));
  await page.addInitScript({ content: `(${HEAR})()` });
  return async (text) => {
    const from = heard.length;
    await page.click('#wallets button');
    await waitUntil(`the page to say ${text}`, () =>
      heard.slice(from).some((one) => text.test(one)),
    );
  };
}
