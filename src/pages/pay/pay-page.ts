// Where a payment link leads: what is paid for, whom, how much, and one button. Plain, in the
// colours of the merchant.

import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { type Seller, sellerName } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { moneyText } from '#pages/display.ts';
import { embedOrigins } from '#pages/embed-origins.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { pageHeader } from '#pages/page-header.ts';
import type { Page } from '#pages/send-page.ts';
import type { LinkStanding } from '#payment-link/open-link-checkout.ts';
import type { PaymentLink } from '#payment-link/payment-link.ts';

export type PayPage = {
  readonly link: PaymentLink;
  readonly standing: LinkStanding;
  readonly seller: Seller;
  readonly language: PageLanguage;
  /** Where its form posts. */
  readonly path: string;
  /** Of the pages where it is served: with `path` the whole address. */
  readonly origin: string;
  /** What was typed, or asked for by the address. */
  readonly typed: string;
  readonly fault: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
};

export function renderPay(page: PayPage): Page {
  const { link, seller, language, fault, status, retryAfterSeconds, path } = page;
  const { texts, code } = language;
  const { testMode, testModeHint } = texts.page;
  const addressIn = (one: LanguageCode) => `${path}?language=${one}`;
  const shops = payEmbedOrigins(page);
  return {
    language: code,
    title: visibleText(link.title),
    status,
    retryAfterSeconds,
    theme: themeText(seller.page),
    frameAncestors: shops,
    alternates: alternatesOf(page),
    body: html`${
      link.environment === 'test' &&
      html`<aside class="strip" aria-label="${testMode}"><strong>${testMode}</strong> ${testModeHint}</aside>`
    }
<div class="page narrow">
${pageHeader(sellerName(seller), seller.logo, language, addressIn)}
<main id="main" data-state="link"${shops.length > 0 && html` data-shops="${JSON.stringify(shops)}"`}>
${fault !== undefined && html`<p class="warning" role="alert" id="fault">${fault}</p>`}
<section class="card" aria-labelledby="title">
<h1 id="title">${foreignText(link.title)}</h1>
${link.description !== undefined && html`<p id="description">${foreignText(link.description)}</p>`}
${page.standing === 'open' ? payForm(page) : html`<p class="notice" role="status" id="standing">${texts.link[page.standing]}</p>`}
</section>
</main>
<footer class="foot">${texts.page.poweredBy}</footer>
</div>`,
  };
}

export function payEmbedOrigins({ link, seller }: Pick<PayPage, 'link' | 'seller'>) {
  return embedOrigins({ environment: link.environment, settings: seller.page });
}

function payForm({ link, language, path, typed }: PayPage): Html {
  const { texts, code } = language;
  const range = rangeText(link, language);
  const price =
    link.amount === undefined
      ? html`<label class="label" for="amount">${texts.link.amount}
(${link.currency})</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="40" required
 value="${typed}"${range !== undefined && html` aria-describedby="range"`}>
${range !== undefined && html`<p class="hint" id="range">${range}</p>`}`
      : html`<p class="price" id="price">${moneyText(link.amount, link.currency, code)}</p>`;
  return html`<form method="post" action="${`${path}?language=${code}`}" class="claim">
${price}<button class="button" id="pay">${texts.link.pay}</button></form>`;
}

function rangeText(
  { leastAmount, mostAmount, currency }: PaymentLink,
  { texts, code }: PageLanguage,
): string | undefined {
  const least = leastAmount && moneyText(leastAmount, currency, code);
  const most = mostAmount && moneyText(mostAmount, currency, code);
  if (least !== undefined && most !== undefined) return texts.link.between(least, most);
  if (least !== undefined) return texts.link.atLeast(least);
  return most === undefined ? undefined : texts.link.atMost(most);
}

/** A link is public: who looks for it in another language finds it in that one. */
function alternatesOf({ origin, path, language: { offered } }: PayPage): Page['alternates'] {
  const url = `${origin}${path}`;
  const codes = LANGUAGES.map(({ languageCode }) => languageCode);
  return [
    ...codes
      .filter((language) => offered?.includes(language) ?? true)
      .map((language) => ({ language, url: `${url}?language=${language}` })),
    { language: 'x-default', url },
  ];
}
