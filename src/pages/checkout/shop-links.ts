// The ways from a page of a checkout to its shop, so that no page is a dead end: back, or asking
// for help where the shop says how it can be reached.

import { isEmail } from '#base/text.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath } from './checkout-page.ts';

/**
 * The link back for somebody who has paid or is about to. Nothing when the merchant gave no
 * address.
 */
export function returnLink(page: CheckoutPage, text: string): Html | undefined {
  if (page.record.returnUrl === undefined) return undefined;
  return linkBack(page, '/return', { id: 'return', look: 'button', text });
}

/** The link back for somebody who does not pay. */
export function cancelLink(page: CheckoutPage, text: string): Html | undefined {
  const { cancelUrl, returnUrl } = page.record;
  if (cancelUrl === undefined) return returnUrl === undefined ? undefined : returnLink(page, text);
  return linkBack(page, '/cancel', { id: 'back', look: 'button', text });
}

/** A quiet link back, for pages where money is under way or about to be. */
export function shopLink(page: CheckoutPage): Html | undefined {
  const { cancelUrl, returnUrl } = page.record;
  const act = returnUrl !== undefined ? '/return' : cancelUrl !== undefined ? '/cancel' : undefined;
  if (act === undefined) return undefined;
  return linkBack(page, act, {
    id: 'shop',
    look: 'quiet',
    text: page.language.texts.expired.return,
  });
}

/** From a frame in the page of a shop it leads the whole window. A sample stays in its preview. */
function linkBack(
  page: CheckoutPage,
  act: '/return' | '/cancel',
  { id, look, text }: { readonly id: string; readonly look: string; readonly text: string },
): Html {
  const target = page.sample === undefined && html` target="_top"`;
  return html`<p class="no-print"><a class="${look}" id="${id}" href="${checkoutPath(page, act)}"${target}>${text}</a></p>`;
}

/** Nothing but a mail address or http(s), whatever is stored. */
export function contactLine(page: CheckoutPage): Html | undefined {
  const { contact } = page.settings;
  if (contact === null || !(isEmail(contact) || /^https?:\/\//i.test(contact))) return undefined;
  const { texts } = page.language;
  const address = isEmail(contact)
    ? `mailto:${encodeURIComponent(contact).replace('%40', '@')}?subject=${encodeURIComponent(page.record.id)}`
    : contact;
  return html`<p class="contact no-print"><span class="hint">${texts.contact.hint}</span>
<a class="quiet" id="contact" href="${address}" rel="noreferrer">${texts.contact.link}</a></p>`;
}

const PARAMETER = 'checkoutId';

/** The address was checked when the checkout was created: http or https, without credentials. */
export function returnAddress(merchantUrl: string, checkoutId: string): string {
  const url = new URL(merchantUrl);
  const others = url.search.slice(1).split('&').filter(isOther);
  url.search = `?${[...others, `${PARAMETER}=${encodeURIComponent(checkoutId)}`].join('&')}`;
  return url.href;
}

/**
 * If the merchant's address has a `checkoutId` of its own, it is left out: two would leave open
 * which one counts.
 */
function isOther(pair: string): boolean {
  // The `&` keeps a question mark that begins the pair.
  return pair !== '' && !new URLSearchParams(`&${pair}`).has(PARAMETER);
}
