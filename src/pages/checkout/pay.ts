// The page to pay from.
import { getNetwork } from '#catalog/network.ts';
import { moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath, samePath } from './checkout-page.ts';
import type { PageState } from './decide-page.ts';
import { duePanel, timeLeft } from './due-panel.ts';
import { findPanel } from './find-panel.ts';

export function payPage(page: CheckoutPage, state: Extract<PageState, { kind: 'pay' }>): Html {
  const { texts, code } = page.language;
  const total = moneyText(page.record.total, page.record.billingCurrency, code);
  const isBank = getNetwork(state.due.commitment.network).family === 'bank';
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.pay.title(total)}</h1>
${timeLeft(page, state.due)}
${duePanel(page, state.due, false)}
<p class="hint watching">${isBank ? texts.bank.watching : texts.pay.watching}</p>
${findPanel(page, false)}
${ways(page, state.canChange)}
</section>`;
}

/** Ways out: another method, or none at all. */
function ways(page: CheckoutPage, canChange: boolean): Html {
  const { texts } = page.language;
  return html`<div class="ways">${canChange && changeLink(page)}
<form method="post" action="${samePath(page, '/cancel')}">
<button class="quiet" id="cancel">${texts.pay.cancel}</button></form></div>`;
}

export function changeLink(page: CheckoutPage): Html {
  const { network, asset } = page.query;
  const path = checkoutPath(page, '', { network, asset, choose: true });
  return html`<a class="quiet" id="change" href="${path}">${page.language.texts.pay.change}</a>`;
}
