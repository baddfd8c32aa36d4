// Where the customer of a checkout pays: the link, to be copied, and a code with it. Whoever has
// the link may choose and cancel, so only who may sell is shown it.

import type { CheckoutRecord } from '#checkout/checkout.ts';
import { hostedCheckoutUrl, pageOrigin, pageToken } from '#checkout/page-token.ts';
import { copyField, qrCode } from '#pages/checkout/copy-field.ts';
import { type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { mayAct } from '#staff/role.ts';
import type { ShopVisit } from './guard.ts';

/** Nothing for what is paid, over, or shown by the shop itself. */
export function payCard(app: PageApp, visit: ShopVisit, record: CheckoutRecord): Html | undefined {
  const { state, type } = record;
  const isUnpaid = state === 'NEW' || state === 'AWAITING_PAYMENT' || state === 'UNDERPAID';
  if (type !== 'HOSTED' || !isUnpaid || !mayAct(visit.place.role, 'sell')) return undefined;
  const { code, texts } = visit.language;
  const url = payUrl(app, record);
  return html`<section class="card" id="pay-here"><h2>${texts.sell.pay}</h2>
${linkField(url, code, texts.sell.link)}
<p class="ways"><a class="quiet" href="${url}" target="_blank" rel="noopener noreferrer">${texts.sell.open}</a></p>
${qrCode(url, texts.sell.code)}</section>`;
}

/** To what was paid, with its receipt: the page as its customer sees it. */
export function paidLink(app: PageApp, visit: ShopVisit, record: CheckoutRecord): Html | undefined {
  const isPaid = record.type === 'HOSTED' && record.state === 'COMPLETED';
  if (!isPaid || !mayAct(visit.place.role, 'sell')) return undefined;
  const { open } = visit.language.texts.sell;
  return html`<p class="ways"><a class="quiet" id="open-page" href="${payUrl(app, record)}" target="_blank" rel="noopener noreferrer">${open}</a></p>`;
}

export function payUrl(app: PageApp, record: CheckoutRecord): string {
  const token = pageToken(app.keyring, record.id);
  return hostedCheckoutUrl(pageOrigin(app, record), record.language, token);
}

/** An address to be passed on. */
export function linkField(url: string, code: ShopVisit['language']['code'], label: string): Html {
  const field = { id: 'link', label, value: url, shown: url, look: 'code' } as const;
  return copyField(field, pageLanguage(code).texts);
}
