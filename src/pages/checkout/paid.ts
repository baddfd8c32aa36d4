// Paid in full: what a receipt says, and the way back.

import { isUndone } from '#checkout/checkout-refund.ts';
import { assetText, momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { paperPath, receiptLinks } from '#pages/receipt/write-receipt.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { PageState } from './decide-page.ts';
import { decideWords, isByBank } from './decide-words.ts';
import { openDue } from './due-panel.ts';
import { newPriceForm } from './expired.ts';
import { answeredPanel, findPanel } from './find-payment.ts';
import { mailForm } from './mail-form.ts';
import { ownWords } from './own-words.ts';
import { changeLink } from './pay.ts';
import { paymentList } from './payment-list.ts';
import { progressSteps } from './progress-steps.ts';
import { noticeList, sayer } from './say-words.ts';
import { contactLine, returnLink, shopLink } from './shop-links.ts';

export function paidPage(page: CheckoutPage): Html {
  const { texts, code } = page.language;
  const { record, summary } = page;
  return html`<section class="card" aria-labelledby="title">
<div class="mark done" aria-hidden="true">✓</div>
<h1 id="title" tabindex="-1">${texts.paid.title}</h1>
${sayer(page)('complete')}
${ownWords(page, 'PAID')}
${noticeList(page)}
${returnLink(page, texts.paid.return)}
${leaving(page)}
<dl class="lines">
<div><dt>${texts.summary.total}</dt>
<dd>${moneyText(record.total, record.billingCurrency, code)}</dd></div>
<div><dt>${texts.paid.seller}</dt><dd>${foreignText(summary.shopName)}</dd></div>
${
  record.completedAt !== undefined &&
  html`<div><dt>${texts.paid.when}</dt>
<dd>${momentTime(record.completedAt, code)}</dd></div>`
}
<div><dt>${texts.paid.reference}</dt><dd><code>${record.id}</code></dd></div>
</dl>
${progressSteps(page)}
${paymentList(page)}
${receiptLinks(page)}
${shareButton(page)}
${answeredPanel(page)}
<p class="hint no-print">${texts.paid.print}</p>
</section>`;
}

/** The script shows it where the device can share or copy. A sample has no receipt. */
function shareButton(page: CheckoutPage): Html | undefined {
  if (page.sample !== undefined) return undefined;
  const { texts } = page.language;
  return html`<p class="no-print"><button type="button" class="quiet" id="share" hidden
 data-title="${texts.paper.receipt}" data-url="${paperPath(page, 'receipt')}"
 data-done="${texts.page.copied}">${texts.paying.steps.share}</button>
<span class="hint" role="status"></span></p>`;
}

/** Somebody who opens the page of an old payment wants to read it, not to be sent away. */
const FRESH_MINUTES = 2;

/**
 * A countdown after which the page goes back to the shop. It needs the script, can be stopped, and
 * runs only just after the payment.
 */
function leaving(page: CheckoutPage): Html | undefined {
  const { texts } = page.language;
  const { completedAt, returnUrl } = page.record;
  const { returnCountdownSeconds: seconds } = page.settings;
  if (!decideWords(page).leavesByItself) return undefined;
  if (returnUrl === undefined || completedAt === undefined || seconds === 0) return undefined;
  const freshUntil = completedAt.add({ minutes: FRESH_MINUTES });
  if (Temporal.Instant.compare(page.now, freshUntil) > 0) return undefined;
  return html`<div class="leaving no-print" data-leave="${seconds}" hidden>
<p data-template="${texts.paid.leaving('{time}')}"></p>
<button type="button" class="quiet" id="stay">${texts.paid.stay}</button></div>`;
}

// Confirmed, but less than the price: what came, what is missing, and how to send it.
type PartialState = Extract<PageState, { kind: 'partial' }>;

export function partialPage(page: CheckoutPage, state: PartialState): Html {
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${partialTitle(page, state)}</h1>
${say('less')}
${noticeList(page)}
${!state.isReturned && rest(page, state)}
${!state.isReturned && ownWords(page, 'PAY_NOTE')}
${paymentList(page)}
${receiptLinks(page)}
${say('rest-or-refund')}
${contactLine(page)}
${isByBank(state.rest) ? answeredPanel(page) : findPanel(page, false)}
${mailForm(page)}
<div class="ways">${state.canChange && !state.isReturned && changeLink(page)}${shopLink(page)}</div>
</section>`;
}

/** When all of the money goes back, nothing is missing any more: the title speaks of the refund. */
export function partialTitle({ record, language }: CheckoutPage, state: PartialState): string {
  const { texts } = language;
  const refund = record.refunds.findLast((one) => !isUndone(one));
  if (!state.isReturned || refund === undefined) return texts.partial.title;
  return texts.refund.title(assetText(refund.network, refund.assetId, refund.units, language));
}

function rest(page: CheckoutPage, state: PartialState): Html {
  const { texts } = page.language;
  const { network, assetId } = state.rest.commitment;
  const { receivedUnits, remainingUnits } = state.progress;
  const say = sayer(page);
  const { due } = decideWords(page);
  return html`<dl class="lines">
<div><dt>${texts.partial.received}</dt>
<dd id="received">${assetText(network, assetId, receivedUnits, page.language)}</dd></div>
${
  // When the price is over, nobody should send the rest.
  due !== undefined &&
  html`<div class="total"><dt>${texts.partial.remaining}</dt>
<dd id="remaining">${assetText(network, assetId, remainingUnits, page.language)}</dd></div>`
}
</dl>
${say('rest-price-over', 'warning')}${say('rest-same-way', 'plain')}
${due !== undefined && openDue(page, due, true)}${newPriceForm(page, state.renewal)}`;
}
