// What is wrong, said honestly: our own view is behind, a payment was replaced, another asset came.
import { getNetwork } from '#catalog/network.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { PageState } from './decide-page.ts';
import { findPanel } from './find-panel.ts';
import { paymentList } from './payment-list.ts';
import { noticeList, sayer } from './say-words.ts';
import { contactLine, shopLink } from './shop-links.ts';

export function troublePage(
  page: CheckoutPage,
  state: Extract<PageState, { kind: 'trouble' }>,
): Html {
  const { texts } = page.language;
  const isBehind = state.cause === 'behind';
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${isBehind ? texts.trouble.title : texts.trouble.takenBack}</h1>
${
  isBehind &&
  html`<p class="warning" data-says="behind-over">${texts.trouble.behindOver(
    getNetwork(state.commitment.network).name,
  )}</p>`
}
${sayer(page)('taken-back', 'warning')}
${noticeList(page)}
${!isBehind && paymentList(page)}
<p class="reference">${texts.paid.reference} <code>${page.record.id}</code></p>
${findPanel(page, false)}
${contactLine(page)}
${shopLink(page)}
</section>`;
}
