// Confirmed, but less than the price: what came, what is missing, and how to send it.
import { isUndone } from '#checkout/checkout-refund.ts';
import { assetText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { receiptLinks } from '#pages/receipt/paper-links.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { PageState } from './decide-page.ts';
import { decideWords, isByBank } from './decide-words.ts';
import { openDue } from './due-panel.ts';
import { newPriceForm } from './expired.ts';
import { answeredPanel, findPanel } from './find-panel.ts';
import { changeLink } from './pay.ts';
import { paymentList } from './payment-list.ts';
import { noticeList, sayer } from './say-words.ts';
import { contactLine, shopLink } from './shop-links.ts';

type PartialState = Extract<PageState, { kind: 'partial' }>;

export function partialPage(page: CheckoutPage, state: PartialState): Html {
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${partialTitle(page, state)}</h1>
${say('less')}
${noticeList(page)}
${!state.isReturned && rest(page, state)}
${paymentList(page)}
${receiptLinks(page)}
${say('rest-or-refund')}
${contactLine(page)}
${isByBank(state.rest) ? answeredPanel(page) : findPanel(page, false)}
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
