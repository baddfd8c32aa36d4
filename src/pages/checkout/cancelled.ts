import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { findPanel } from './find-panel.ts';
import { cancelLink } from './paid.ts';

export function cancelledPage(page: CheckoutPage): Html {
  const { texts } = page.language;
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.cancelled.title}</h1>
<p>${texts.cancelled.hint}</p>
${
  page.record.commitments.length > 0 &&
  html`<p class="hint">${texts.cancelled.sent} <code>${page.record.id}</code></p>`
}
${page.record.commitments.length > 0 && findPanel(page, false)}
${cancelLink(page, texts.cancelled.back)}
</section>`;
}
