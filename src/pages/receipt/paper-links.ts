// The papers of a checkout: their addresses, and the links from its page to them.

import { hostedCheckoutUrl } from '#checkout/page-token.ts';
import { type CheckoutPage, samePath } from '#pages/checkout/checkout-page.ts';
import { type Html, html } from '#pages/html.ts';
import { hasReceipt } from './write-receipt.ts';

/** Nothing until money has arrived. */
export function receiptLinks(page: CheckoutPage): Html | undefined {
  if (!hasReceipt(page.record)) return undefined;
  const { paper } = page.language.texts;
  return html`<p class="ways no-print">
<a class="quiet" id="receipt" href="${addressOf(page, 'receipt')}">${paper.receipt}</a>
<a class="quiet" id="receipt-pdf" href="${addressOf(page, 'receipt.pdf')}">${paper.pdf}</a></p>`;
}

export function invoiceLink(page: CheckoutPage): Html {
  const { paper } = page.language.texts;
  return html`<a id="invoice" href="${addressOf(page, 'invoice')}">${paper.invoice}</a>`;
}

/** A sample has no papers: the link leads back to the sample. */
function addressOf(page: CheckoutPage, paper: 'receipt' | 'receipt.pdf' | 'invoice'): string {
  return page.sample === undefined ? paperPath(page, paper) : samePath(page);
}

/** Addresses of the papers of a checkout, on this service; `checkout` is its page to pay from. */
export function paperPath(
  { languageName, token }: Pick<CheckoutPage, 'languageName' | 'token'>,
  paper: 'checkout' | 'receipt' | 'receipt.pdf' | 'invoice',
): string {
  const name = encodeURIComponent(token);
  if (paper === 'invoice') return `/${languageName}/invoice/${name}`;
  const path = hostedCheckoutUrl('', languageName, name);
  return paper === 'checkout' ? path : `${path}/${paper}`;
}
