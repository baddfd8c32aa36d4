// Puts what the page says (decide-words.ts) into the words of its language.
import { unreachable } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountIn, assetText, momentText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { Notice } from './decide-notices.ts';
import type { PageKind } from './decide-page.ts';
import { decideWords, SENTENCES, type SentenceName } from './decide-words.ts';
import { contactLine } from './shop-links.ts';

type SentenceLook = 'hint' | 'warning' | 'plain';

/** A paragraph for a sentence that the page says; nothing for one that it does not. */
export function sayer(
  page: CheckoutPage,
): (name: SentenceName, look?: SentenceLook) => Html | undefined {
  const { sentences } = decideWords(page);
  return (name, look = 'hint') => {
    if (!sentences.has(name)) return undefined;
    const text = SENTENCES[name](page.language.texts);
    const isPlain = look === 'plain';
    return html`<p${!isPlain && html` class="${look}"`} data-says="${name}">${text}</p>`;
  };
}

/** Inside the card, above what can be pressed: read before anything is done. */
export function noticeList(page: CheckoutPage): Html | undefined {
  const { language } = page;
  const { notices } = decideWords(page);
  if (notices.length === 0) return undefined;
  return html`<div class="notices">${notices.map(
    (notice) =>
      html`<p class="notice" data-notice="${notice.kind}">${noticeText(notice, language)}</p>`,
  )}${notices.some(({ kind }) => ASKING.has(kind)) && contactOf(page)}</div>`;
}

/** They tell the payer to ask the shop. */
const ASKING: ReadonlySet<Notice['kind']> = new Set([
  'over',
  'multiple',
  'wrong-asset',
  'wrong-network',
]);
/** Their pages say how to reach the shop in any case, after all that can be done without it. */
const WITH_CONTACT: ReadonlySet<PageKind> = new Set(['partial', 'expired', 'trouble']);

function contactOf(page: CheckoutPage): Html | undefined {
  return WITH_CONTACT.has(page.state.kind) ? undefined : contactLine(page);
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
  const { notice, refund: texts } = language.texts;
  const amount = assetText(refund.network, refund.assetId, refund.units, language);
  if (refund.restsUntil !== undefined) {
    return `${texts.title(amount)}. ${texts.rests(momentText(refund.restsUntil, language.code))}`;
  }
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
