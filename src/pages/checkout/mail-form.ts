// "Tell me by e-mail": a payer types an address and closes the page. Guarantees: the page never
// says again what was typed, since whoever has its link sees it; it says the same whether the
// address is known here or not; a client asks a few times in an hour, and so does everybody on one
// checkout.

import type { Clock } from '#base/clock.ts';
import { type Html, html } from '#pages/html.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { type CheckoutPage, samePath } from './checkout-page.ts';

const PER_CHECKOUT = 6;
const PER_CLIENT = 20;
/** The longest address there can be (RFC 5321, 4.5.3.1.3). */
export const MAIL_ADDRESS_MOST = 254;

export function mailLimits(clock: Clock) {
  const checkouts = createTokenBuckets(clock, PER_CHECKOUT, 'for this checkout', 'hour');
  const clients = createTokenBuckets(clock, PER_CLIENT, 'from this address', 'hour');
  return {
    /** @throws Refusal too-many `rate_limited` */
    take(checkoutId: string, client: string | undefined): void {
      if (client !== undefined) clients.take(client);
      checkouts.take(checkoutId);
    },
  };
}

export function mailForm(page: CheckoutPage): Html | undefined {
  const { mailWish, mailFault, language } = page;
  if (mailWish === undefined) return undefined;
  const { mail } = language.texts.paying;
  const isAsked = mailWish === 'asked';
  return html`<details class="find no-print" id="mail"${mailFault !== undefined && html` open`}>
<summary>${isAsked ? mail.asked : mail.title}</summary>
<form method="post" action="${samePath(page, '/mail')}">
<p class="hint" id="mail-hint">${isAsked ? mail.again : mail.hint}</p>
<label class="label" for="email">${mail.label}</label>
<div class="ask"><input id="email" name="email" type="email" required maxlength="${MAIL_ADDRESS_MOST}"
 autocomplete="email" autocapitalize="off" spellcheck="false" dir="ltr"
 aria-describedby="mail-hint${mailFault && ' mail-fault'}"${
   mailFault && html` aria-invalid="true" value="${mailFault.typed}"`
 }>
<button class="copy" id="mail-button">${mail.button}</button></div>
${
  mailFault &&
  html`<p class="notice" id="mail-fault" tabindex="-1" autofocus>${mailFault.reason}</p>`
}
</form></details>`;
}
