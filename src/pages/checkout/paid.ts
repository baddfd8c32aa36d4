// Paid in full: what a receipt says, and the way back.
import { momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { receiptLinks } from '#pages/receipt/paper-links.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { decideWords } from './decide-words.ts';
import { answeredPanel } from './find-panel.ts';
import { paymentList } from './payment-list.ts';
import { noticeList, sayer } from './say-words.ts';
import { returnLink } from './shop-links.ts';

export function paidPage(page: CheckoutPage): Html {
  const { texts, code } = page.language;
  const { record, summary } = page;
  return html`<section class="card" aria-labelledby="title">
<div class="mark done" aria-hidden="true">✓</div>
<h1 id="title" tabindex="-1">${texts.paid.title}</h1>
${sayer(page)('complete')}
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
${paymentList(page)}
${receiptLinks(page)}
${answeredPanel(page)}
<p class="hint no-print">${texts.paid.print}</p>
</section>`;
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
