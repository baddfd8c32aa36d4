// Where a payer says where a refund goes. Plain: it is opened once, by whoever has the link.

import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Seller } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { groupedCode } from '#pages/checkout/copy-field.ts';
import { assetText, momentText, momentTime } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { pageHeader } from '#pages/page-header.ts';
import type { Page } from '#pages/send-page.ts';
import type { Refund } from '#refund/refund.ts';

export type RefundPage = {
  readonly refund: Refund;
  /** Who pays it back. */
  readonly seller: Seller | undefined;
  /** As on the page of the checkout. */
  readonly shopName: string;
  readonly language: PageLanguage;
  /** The same page in another language. */
  addressIn(language: LanguageCode): string;
  /** Until when it is to be claimed, for a calendar. */
  readonly calendar: string;
  /** What was typed, to be shown again. */
  readonly typed: RefundClaim | undefined;
  /** It was found right, and is to be looked at once more before anything is sent. */
  readonly isReview: boolean;
  readonly fault: string | undefined;
  /** Back to the shop, where it has an address. */
  readonly shopUrl: string | undefined;
};

/** As somebody typed it. `memo`: also the destination tag of XRP. */
export type RefundClaim = {
  readonly address: string;
  readonly memo: string;
  readonly memoType: 'text' | 'id';
};

export function renderRefund(page: RefundPage): Page {
  const { refund, language, fault, seller } = page;
  const { texts, code } = language;
  const title = titleOf(page);
  const isTest = refund.environment === 'test';
  const { testMode, testModeHint } = texts.page;
  return {
    language: code,
    title,
    status: fault === undefined ? 200 : 400,
    theme: seller && themeText(seller.page),
    body: html`${
      isTest &&
      html`<aside class="strip" aria-label="${testMode}"><strong>${testMode}</strong> ${testModeHint}</aside>`
    }
<div class="page narrow">
${pageHeader(page.shopName, seller?.logo, language, page.addressIn)}
<main id="main" data-state="refund">
${fault !== undefined && html`<p class="warning" role="alert" id="fault">${fault}</p>`}
<section class="card" aria-labelledby="title">
<h1 id="title">${title}</h1>
${middleOf(page)}
<dl class="lines">
<div><dt>${texts.paid.reference}</dt><dd><code>${refund.checkoutId}</code></dd></div>
${
  refund.address !== undefined &&
  html`<div><dt>${texts.refund.address}</dt><dd><code class="old">${groupedCode(refund.address)}</code></dd></div>`
}
${claimedMemo(refund)}
${
  refund.transaction !== undefined &&
  html`<div><dt>${texts.refund.transaction}</dt>
<dd><code class="old">${refund.transaction}</code></dd></div>`
}
${
  refund.claimable !== undefined &&
  html`<div><dt>${BALANCE}</dt>
<dd><code class="old" id="balance">${refund.claimable.id}</code></dd></div>`
}
</dl>
${
  page.shopUrl !== undefined &&
  html`<p><a class="quiet" id="shop" href="${page.shopUrl}" rel="noreferrer">${
    texts.expired.return
  }</a></p>`
}
</section></main>
<footer class="foot">${texts.page.poweredBy}</footer></div>`,
  };
}

function titleOf({ refund, language }: RefundPage): string {
  const { texts } = language;
  const { network, assetId, units } = refund;
  return texts.refund.title(assetText(network, assetId, units, language));
}

function middleOf(page: RefundPage): Html {
  const { refund, language } = page;
  const texts = language.texts.refund;
  const isOpen = refund.state === 'AWAITING_ADDRESS' || refund.state === 'FAILED';
  if (isOpen && refund.payment === 'TAKEN_BACK') return html`<p>${texts.takenBack}</p>`;
  switch (refund.state) {
    case 'AWAITING_ADDRESS':
      return page.isReview && page.typed !== undefined
        ? reviewForm(page, page.typed)
        : claimForm(page);
    case 'UNDER_WAY':
      if (refund.claimable !== undefined) return claimableText(page, refund.claimable);
      if (refund.payment !== 'STANDING') return html`<p>${texts.uncertain}</p>`;
      return refund.restsUntil !== undefined && refund.transaction === undefined
        ? html`<p>${texts.rests(momentText(refund.restsUntil, language.code))}</p>`
        : html`<p>${texts.underWay}</p>`;
    case 'COMPLETED':
      return refund.claimable === undefined
        ? html`<p>${texts.completed}</p>`
        : claimableText(page, refund.claimable);
    case 'FAILED':
    case 'RETURNED':
      return html`<p>${texts.failed}</p>`;
  }
}

/** Sent, and not on the account yet: only its owner can fetch it (CAP-23). */
function claimableText(
  { refund, language }: RefundPage,
  { reclaimableAt }: NonNullable<Refund['claimable']>,
): Html {
  const { refund: texts } = language.texts;
  const { assetCode } = getAsset(refund.assetId);
  const until = reclaimableAt === null ? undefined : Temporal.Instant.from(reclaimableAt);
  return html`<p>${texts.toClaim(assetCode)}</p>
${until !== undefined && html`<p>${texts.claimBefore(momentText(until, language.code))}</p>`}`;
}

/** The first step: its button sends nothing. */
function claimForm({ refund, language, typed, fault, calendar }: RefundPage): Html {
  const { steps } = language.texts.paying;
  const texts = language.texts.refund;
  const { knownBy, name } = getNetwork(refund.network);
  const hints = addressHints(refund.network, refund.environment, language);
  const told = [fault !== undefined && 'fault', hints.length > 0 && 'address-hint'].filter(Boolean);
  const isFault = fault !== undefined && html` aria-invalid="true"`;
  const describedBy = told.length > 0 && html` aria-describedby="${told.join(' ')}"`;
  const isMemo = knownBy === 'memo';
  const label = knownBy === 'invoice' ? texts.lightningAddress : texts.yourAddress(name);
  return html`<p>${texts.hint(name)}</p>
<form method="post" class="claim">
<label class="label" for="address">${label}</label>
<input id="address" name="address" type="text" required maxlength="${knownBy === 'invoice' ? 4000 : 200}" value="${
    typed?.address ?? ''
  }" autocomplete="off" autocapitalize="none" spellcheck="false"${isFault}${describedBy}>
${hints.length > 0 && html`<div class="hint" id="address-hint">${hints.map((one) => html`<p>${one}</p>`)}</div>`}
${
  (isMemo || knownBy === 'tag') &&
  html`<label class="label" for="memo">${isMemo ? texts.memoLabel : texts.tagLabel}</label>
<input id="memo" name="memo" type="text" maxlength="64" value="${typed?.memo ?? ''}"
 autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="memo-hint">
${isMemo && memoTypes(texts.memoType, typed)}
<p class="hint" id="memo-hint">${texts.memoHint}</p>`
}
<button class="button" id="next" name="step" value="review">${texts.next}</button>
</form>
<p><a class="quiet" id="calendar" href="${calendar}">${steps.calendar}</a></p>`;
}

/** By the names that exchanges give them. */
const MEMO_TYPES = { text: 'MEMO_TEXT', id: 'MEMO_ID' } as const;

function memoTypes(label: string, typed: RefundClaim | undefined): Html {
  return html`<label class="label" for="memo-type">${label}</label>
<select id="memo-type" name="memoType">${Object.entries(MEMO_TYPES).map(
    ([type, name]) =>
      html`<option value="${type}"${typed?.memoType === type && html` selected`}>${name}</option>`,
  )}</select>`;
}

/** What was said beside the address, by the names that exchanges give it. */
function claimedMemo({ account = {} }: Refund): Html | undefined {
  const { destinationTag, memo, memoType } = account;
  if (destinationTag !== undefined) {
    return html`<div><dt>${TAG}</dt><dd><code>${destinationTag}</code></dd></div>`;
  }
  if (memo === undefined) return undefined;
  const type = memoType === 'id' ? 'id' : 'text';
  return html`<div><dt>${MEMO}</dt><dd><code>${memoText(memo, type)}</code></dd></div>`;
}

/** The same in every language, as exchanges write them. */
const MEMO = 'Memo';
const TAG = 'Destination tag';
/** As wallets of Stellar write it. */
const BALANCE = 'Claimable balance ID';

function memoText(memo: string, type: RefundClaim['memoType']): string {
  return `${memo} (${MEMO_TYPES[type]})`;
}

/** Shows once more everything that will be done. */
function reviewForm({ refund, language }: RefundPage, typed: RefundClaim): Html {
  const { texts, code } = language;
  const { knownBy, name } = getNetwork(refund.network);
  const hasMemo = knownBy === 'memo' || knownBy === 'tag';
  const memo = knownBy === 'memo' ? memoText(typed.memo, typed.memoType) : typed.memo;
  const line = (label: string, value: Html | string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<h2>${texts.refund.review}</h2>
<dl class="lines" id="review">
${line(texts.paid.amount, assetText(refund.network, refund.assetId, refund.units, language))}
${line(texts.paper.network, name)}
${line(texts.refund.address, html`<code>${groupedCode(typed.address)}</code>`)}
${
  hasMemo &&
  line(
    knownBy === 'memo' ? MEMO : TAG,
    typed.memo === '' ? texts.refund.none : html`<code>${memo}</code>`,
  )
}
${line(texts.refund.until, momentTime(refund.claimableUntil, code))}
</dl>
<p class="warning">${texts.refund.check}</p>
<form method="post" class="claim">
<input type="hidden" name="address" value="${typed.address}">
<input type="hidden" name="memo" value="${typed.memo}">
<input type="hidden" name="memoType" value="${typed.memoType}">
<button class="button" id="send" name="step" value="send">${texts.refund.claim}</button>
<button class="quiet" id="edit" name="step" value="edit">${texts.refund.edit}</button>
</form>`;
}

// What the payer of a refund is told about the address that is asked for: how one looks, and where
// to find it. Prefixes are the same in every language.
type Forms = Readonly<Record<Environment, readonly string[]>>;

/** How addresses of a network begin: BIP-173, and Base58 of the version bytes before it. */
const OWN_FORMS: Readonly<Record<string, Forms>> = {
  BITCOIN: { live: ['bc1', '1', '3'], test: ['tb1', 'bcrt1', 'm', 'n', '2'] },
  LITECOIN: { live: ['ltc1', 'L', 'M', '3'], test: ['tltc1', 'rltc1', 'm', 'n', 'Q', '2'] },
  STELLAR: { live: ['G'], test: ['G'] },
  XRP_LEDGER: { live: ['r'], test: ['r'] },
};
const EVM_FORMS: Forms = { live: ['0x'], test: ['0x'] };

/** None of a network whose addresses begin differently. */
export function addressForms(network: string, environment: Environment): readonly string[] {
  const forms = getNetwork(network).family === 'evm' ? EVM_FORMS : OWN_FORMS[network];
  return forms?.[environment] ?? [];
}

/** In sentences; none of Lightning, whose label says it. */
export function addressHints(
  network: string,
  environment: Environment,
  { texts: { refund }, code }: PageLanguage,
): readonly string[] {
  const { type, knownBy, name } = getNetwork(network);
  if (knownBy === 'invoice') return [];
  if (type === 'BANK') return [refund.bankHint[network as keyof typeof refund.bankHint]];
  const forms = new Intl.ListFormat(code, { type: 'disjunction' }).format(
    addressForms(network, environment),
  );
  return [refund.looksLike(forms), refund.whereFrom(name)];
}
