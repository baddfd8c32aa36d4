// Where a payer says where a refund goes. Plain: it is opened once, by whoever has the link.
import type { LanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Seller } from '#merchant/find-seller.ts';
import { assetText } from '#pages/asset-text.ts';
import { brandMark } from '#pages/branding/brand-mark.ts';
import { themeText } from '#pages/branding/theme.ts';
import { type Html, html } from '#pages/html.ts';
import { languageSwitch } from '#pages/language-switch.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
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
  /** What was typed, when it was none; shown again. */
  readonly typed: string | undefined;
  readonly fault: string | undefined;
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
<header class="top">${brandMark(page.shopName, seller?.logo)}
${languageSwitch(language, (other) => page.addressIn(other))}</header>
<main id="main" data-state="refund">
${fault !== undefined && html`<p class="warning" role="alert" id="fault">${fault}</p>`}
<section class="card" aria-labelledby="title">
<h1 id="title">${title}</h1>
${middleOf(page)}
<dl class="lines">
<div><dt>${texts.paid.reference}</dt><dd><code>${refund.checkoutId}</code></dd></div>
${
  refund.address !== undefined &&
  html`<div><dt>${texts.refund.address}</dt><dd><code class="old">${refund.address}</code></dd></div>`
}
${
  refund.transaction !== undefined &&
  html`<div><dt>${texts.refund.transaction}</dt>
<dd><code class="old">${refund.transaction}</code></dd></div>`
}
</dl>
</section></main>
<footer class="foot">${texts.page.poweredBy}</footer></div>`,
  };
}

function titleOf({ refund, language }: RefundPage): string {
  const { texts } = language;
  const { network, assetId, units } = refund;
  return texts.refund.title(assetText(network, assetId, units, language));
}

function middleOf({ refund, language, typed, fault }: RefundPage): Html {
  const texts = language.texts.refund;
  const network = getNetwork(refund.network);
  const isOpen = refund.state === 'AWAITING_ADDRESS' || refund.state === 'FAILED';
  if (isOpen && refund.payment === 'TAKEN_BACK') return html`<p>${texts.takenBack}</p>`;
  switch (refund.state) {
    case 'AWAITING_ADDRESS': {
      const label =
        network.family === 'lightning' ? texts.lightningAddress : texts.yourAddress(network.name);
      return html`<p>${texts.hint(network.name)}</p>
<form method="post" class="claim">
<label class="label" for="address">${label}</label>
<input id="address" name="address" type="text" required maxlength="200" value="${typed ?? ''}"
 autocomplete="off" autocapitalize="none" spellcheck="false"${
   fault !== undefined && html` aria-invalid="true" aria-describedby="fault"`
 }>
<p class="warning">${texts.check}</p>
<button class="button" type="submit">${texts.claim}</button>
</form>`;
    }
    case 'UNDER_WAY':
      return html`<p>${refund.payment === 'STANDING' ? texts.underWay : texts.uncertain}</p>`;
    case 'COMPLETED':
      return html`<p>${texts.completed}</p>`;
    case 'FAILED':
      return html`<p>${texts.failed}</p>`;
  }
}
