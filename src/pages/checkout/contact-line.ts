// Who helps when something went wrong: the shop, where it says how it can be reached.
import { isEmail } from '#base/email.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';

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
