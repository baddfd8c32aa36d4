// The way back to the shop, where it has one: pages have no dead end.
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath } from './checkout-page.ts';

/** Where somebody goes who has paid or is about to: nothing when the merchant gave no address. */
export function returnLink(page: CheckoutPage, text: string): Html | undefined {
  if (page.record.returnUrl === undefined) return undefined;
  return html`<p class="no-print"><a class="button" id="return" href="${checkoutPath(
    page,
    '/return',
  )}">${text}</a></p>`;
}

/** Where the merchant wants who does not pay. */
export function cancelLink(page: CheckoutPage, text: string): Html | undefined {
  const { cancelUrl, returnUrl } = page.record;
  if (cancelUrl === undefined) return returnUrl === undefined ? undefined : returnLink(page, text);
  return html`<p class="no-print"><a class="button" id="back" href="${checkoutPath(
    page,
    '/cancel',
  )}">${text}</a></p>`;
}

/** Beside what is more important: money is under way, or is about to be. */
export function shopLink(page: CheckoutPage): Html | undefined {
  const { cancelUrl, returnUrl } = page.record;
  const act = returnUrl !== undefined ? '/return' : cancelUrl !== undefined ? '/cancel' : undefined;
  if (act === undefined) return undefined;
  return html`<p class="no-print"><a class="quiet" id="shop" href="${checkoutPath(page, act)}">${
    page.language.texts.expired.return
  }</a></p>`;
}
