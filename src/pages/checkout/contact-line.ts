// Who helps when something went wrong: the shop, where it says how it can be reached.
import { isEmail } from '#base/email.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';

/** The address was checked when it was set: a mail address, or http(s) without credentials. */
export function contactLine(page: CheckoutPage): Html | undefined {
  const { contact } = page.settings;
  if (contact === null) return undefined;
  const { texts } = page.language;
  const address = isEmail(contact)
    ? `mailto:${encodeURIComponent(contact).replace('%40', '@')}?subject=${encodeURIComponent(page.record.id)}`
    : contact;
  return html`<p class="contact no-print"><span class="hint">${texts.contact.hint}</span>
<a class="quiet" id="contact" href="${address}" rel="noreferrer">${texts.contact.link}</a></p>`;
}
