import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { answeredPanel, findPanel } from './find-panel.ts';
import { paymentList } from './payment-list.ts';
import { noticeList, sayer } from './say-words.ts';
import { cancelLink } from './shop-links.ts';

export function cancelledPage(page: CheckoutPage): Html {
  const { texts } = page.language;
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.cancelled.title}</h1>
${say('nothing-charged', 'plain')}${say('do-not-send-there', 'plain')}
${noticeList(page)}
${paymentList(page)}
${say('sent-before')}
<p class="reference">${texts.paid.reference} <code>${page.record.id}</code></p>
${page.record.commitments.length > 0 ? findPanel(page, false) : answeredPanel(page)}
${cancelLink(page, texts.cancelled.back)}
</section>`;
}
