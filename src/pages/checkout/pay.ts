// The page to pay from, once a way to pay is chosen.

import { moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath, samePath } from './checkout-page.ts';
import type { PageState } from './decide-page.ts';
import { isByBank } from './decide-words.ts';
import { openDue } from './due-panel.ts';
import { answeredPanel, findPanel } from './find-payment.ts';
import { mailForm } from './mail-form.ts';
import { ownWords } from './own-words.ts';
import { otherDevice, signalChoice } from './progress-steps.ts';
import { noticeList, sayer } from './say-words.ts';

export function payPage(page: CheckoutPage, state: Extract<PageState, { kind: 'pay' }>): Html {
  const { texts, code } = page.language;
  const total = moneyText(page.record.total, page.record.billingCurrency, code);
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.pay.title(total)}</h1>
${noticeList(page)}
${openDue(page, state.due, false, html`${say('watching')}${say('bank-watching')}`)}
${ownWords(page, 'PAY_NOTE')}
${isByBank(state.due) ? answeredPanel(page) : findPanel(page, false)}
${mailForm(page)}
${signalChoice(page)}
${otherDevice(page)}
${ways(page, state.canChange)}
</section>`;
}

/** Ways out: another method, or none at all. */
function ways(page: CheckoutPage, canChange: boolean): Html {
  return html`<div class="ways">${canChange && changeLink(page)}${cancelForm(page)}</div>`;
}

/** The customer can cancel from the first page on. */
export function cancelForm(page: CheckoutPage): Html {
  return html`<form method="post" action="${samePath(page, '/cancel')}">
<button class="quiet" id="cancel">${page.language.texts.pay.cancel}</button></form>`;
}

export function changeLink(page: CheckoutPage): Html {
  const { network, asset } = page.query;
  const path = checkoutPath(page, '', { network, asset, choose: true });
  return html`<a class="quiet" id="change" href="${path}">${page.language.texts.pay.change}</a>`;
}
