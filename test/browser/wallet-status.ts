// What the page says on the button of a wallet and beside it. Both are gone once the payment is seen,
// which may be sooner than a test looks: so all that they ever said is kept.
import type { Page } from 'playwright-core';
import { waitUntil } from '#test/support/shop.ts';

const HEAR = `() => {
  let last;
  let lastButton;
  new MutationObserver(() => {
    const button = document.querySelector('#wallets button')?.textContent;
    if (button && button !== lastButton) window.hearWalletStatus(button);
    lastButton = button;
    const status = document.getElementById('wallet-status');
    if (status === last) return;
    last = status;
    if (status?.textContent) window.hearWalletStatus(status.textContent);
  }).observe(document, { childList: true, subtree: true });
}`;

/** Clicks the wallet's button and waits for such an answer; `everSaid` waits for what was said at any time. */
type Says = ((text: RegExp) => Promise<void>) & {
  readonly everSaid: (text: string) => Promise<void>;
};

/** Before the page is opened. */
export async function hearWalletStatus(page: Page): Promise<Says> {
  const heard: string[] = [];
  await page.exposeFunction('hearWalletStatus', (text: string) => heard.push(text));
  await page.addInitScript({ content: `(${HEAR})()` });
  const says = async (text: RegExp) => {
    const from = heard.length;
    await page.click('#wallets button');
    await waitUntil(`the page to say ${text}`, () =>
      heard.slice(from).some((one) => text.test(one)),
    );
  };
  const everSaid = (text: string) =>
    waitUntil(`the page to have said ${text}`, () => heard.includes(text));
  return Object.assign(says, { everSaid });
}
