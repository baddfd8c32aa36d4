// The page of a checkout in a real Chromium whose wallet is WebLN: what pays is given.
import type { ServerProcess } from '#test/support/server-process.ts';
import type { Shop } from '#test/support/shop.ts';
import { openBrowserPage } from './browser.ts';

type Payable = { readonly client: Shop['client']; readonly server: Pick<ServerProcess, 'origin'> };

/** `pay` is the wallet after its owner was asked: it fails where the owner says no. */
export async function openWeblnPage(
  { client, server }: Payable,
  checkoutId: string,
  pay: (invoice: string) => Promise<void>,
) {
  const { hostedCheckoutUrl } = await client.findCheckout(checkoutId);
  const opened = await openBrowserPage({ width: 390, height: 844 });
  await opened.context.exposeFunction('payInvoice', pay);
  await opened.context.addInitScript({
    content:
      'window.webln = { enable: async () => {}, ' +
      'sendPayment: async (invoice) => ({ preimage: await window.payInvoice(invoice) }) };',
  });
  await opened.page.goto(hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, server.origin));
  await opened.page.waitForSelector('#wallets:not([hidden]) button');
  return opened;
}
