// What is wrong, said honestly: our own view is behind, a payment was replaced, another asset came.
import { unreachable } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountIn, assetText } from '#pages/asset-text.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { contactLine } from './contact-line.ts';
import type { Notice, PageState } from './decide-page.ts';
import { findPanel } from './find-panel.ts';

export function troublePage(
  page: CheckoutPage,
  state: Extract<PageState, { kind: 'trouble' }>,
): Html {
  const { texts } = page.language;
  const { name } = getNetwork(state.commitment.network);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.trouble.title}</h1>
<p class="warning">${texts.trouble.behindOver(name)}</p>
<p class="reference">${texts.paid.reference} <code>${page.record.id}</code></p>
${findPanel(page, false)}
${contactLine(page)}
</section>`;
}

export function noticeList(page: CheckoutPage): Html | undefined {
  const { state, language } = page;
  const notices = state.notices.filter(
    ({ kind }) => !(kind === 'behind' && state.kind === 'trouble'),
  );
  if (notices.length === 0) return undefined;
  return html`<div class="notices">${notices.map(
    (notice) =>
      html`<p class="notice" data-notice="${notice.kind}">${noticeText(notice, language)}</p>`,
  )}</div>`;
}

function noticeText(notice: Notice, language: PageLanguage): string {
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
