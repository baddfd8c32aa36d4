// The window is over and nothing was seen. The page tells whoever has not paid not to pay now, and
// whoever has paid not to worry.

import type { Offer } from '#checkout/checkout.ts';
import { assetText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath, methodValue } from './checkout-page.ts';
import { groupedCode } from './copy-field.ts';
import type { PageState } from './decide-page.ts';
import { answeredPanel, findPanel } from './find-payment.ts';
import { mailForm } from './mail-form.ts';
import { paymentList } from './payment-list.ts';
import { noticeList, sayer } from './say-words.ts';
import { cancelLink, contactLine, shopLink } from './shop-links.ts';

export function expiredPage(
  page: CheckoutPage,
  state: Extract<PageState, { kind: 'expired' }>,
): Html {
  const { texts } = page.language;
  const { commitment } = state;
  const say = sayer(page);
  const wasDue =
    commitment &&
    assetText(commitment.network, commitment.assetId, commitment.askedUnits, page.language);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.expired.title}</h1>
${say('do-not-send', 'warning')}
${noticeList(page)}
${paymentList(page)}
${
  commitment !== undefined &&
  html`<h2>${texts.expired.alreadySent}</h2>
${say('still-credited', 'plain')}
<dl class="lines">
<div><dt>${texts.paid.reference}</dt><dd><code>${page.record.id}</code></dd></div>
<div><dt>${texts.expired.wasDue}</dt>
<dd>${wasDue}</dd></div>
<div><dt>${texts.expired.address}</dt>
<dd><code class="old">${groupedCode(commitment.instruction.address)}</code></dd></div>
</dl>
${findPanel(page, true)}`
}
${mailForm(page)}
${contactLine(page)}
${newPriceForm(page, state.renewal)}
${state.renewal ? shopLink(page) : cancelLink(page, texts.expired.return)}
${
  state.canChooseAgain &&
  html`<div class="ways"><a class="quiet" id="again" href="${checkoutPath(page, '', {
    choose: true,
  })}">${texts.expired.again}</a></div>`
}
</section>`;
}

/** The same way once more: one button opens a fresh window, at the same address. */
export function newPriceForm(page: CheckoutPage, renewal: Offer | undefined): Html | undefined {
  if (renewal === undefined) return undefined;
  return html`<form method="post" action="${checkoutPath(page, '/choose')}">
<button class="button" id="new-price" name="method" value="${methodValue(renewal)}">${
    page.language.texts.expired.newPrice
  }</button></form>`;
}

export function cancelledPage(page: CheckoutPage): Html {
  const { texts } = page.language;
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.cancelled.title}</h1>
${say('nothing-charged', 'plain')}${say('do-not-send-there', 'plain')}
${noticeList(page)}
${paymentList(page)}
${say('sent-before')}
${page.record.commitments.length > 0 && contactLine(page)}
<p class="reference">${texts.paid.reference} <code>${page.record.id}</code></p>
${page.record.commitments.length > 0 ? findPanel(page, false) : answeredPanel(page)}
${cancelLink(page, texts.cancelled.back)}
</section>`;
}
