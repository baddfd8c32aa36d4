// What is wrong, said honestly: our own view is behind, a payment was replaced, another asset came.
import { unreachable } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountIn, assetText } from '#pages/asset-text.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { contactLine } from './contact-line.ts';
import type { Notice } from './decide-notices.ts';
import type { PageState } from './decide-page.ts';
import { decideWords } from './decide-words.ts';
import { findPanel } from './find-panel.ts';
import { paymentList } from './payment-list.ts';
import { sayer } from './say-words.ts';
import { shopLink } from './shop-link.ts';

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

/** Inside the card, above what can be pressed: read before anything is done. */
export function noticeList(page: CheckoutPage): Html | undefined {
  const { language } = page;
  const { notices } = decideWords(page);
  if (notices.length === 0) return undefined;
  return html`<div class="notices">${notices.map(
    (notice) =>
      html`<p class="notice" data-notice="${notice.kind}">${noticeText(notice, language)}</p>`,
  )}</div>`;
}

export function noticeText(notice: Notice, language: PageLanguage): string {
  const { texts } = language;
  switch (notice.kind) {
    case 'behind':
      return texts.trouble.behind(getNetwork(notice.network).name);
    case 'rate-missing':
      return texts.trouble.rateMissing(
        notice.assetIds.map((assetId) => getAsset(assetId).assetCode).join(', '),
      );
    case 'replaced':
      return texts.trouble.replaced;
    case 'wrong-asset':
      return texts.trouble.wrongAsset;
    case 'wrong-network':
      return texts.trouble.wrongNetwork(
        amountIn(notice.amount, notice.assetCode, language),
        getNetwork(notice.network).name,
      );
    case 'reversed':
      return texts.trouble.reversed;
    case 'over':
      return texts.notice.over(amountIn(notice.amount, notice.assetCode, language));
    case 'late':
      return texts.notice.late;
    case 'multiple':
      return texts.notice.multiple;
    case 'accepted-underpaid':
      return texts.notice.acceptedUnderpaid;
    case 'refund':
      return refundText(notice, language);
    default:
      return unreachable(notice);
  }
}

function refundText(refund: Extract<Notice, { kind: 'refund' }>, language: PageLanguage): string {
  const { notice } = language.texts;
  const amount = assetText(refund.network, refund.assetId, refund.units, language);
  switch (refund.state) {
    case 'AWAITING_ADDRESS':
      return notice.refundAwaiting(amount);
    case 'UNDER_WAY':
      return notice.refundUnderWay(amount);
    case 'COMPLETED':
      return notice.refundCompleted(amount);
    default:
      return unreachable(refund.state);
  }
}
