// What is done with a payment link outside of the dashboard: copied, printed, put into a page of
// the shop.

import { compare, createDecimal, decimalToText, multiply } from '#money/decimal.ts';
import { qrCode } from '#pages/checkout/copy-field.ts';
import { moneyText } from '#pages/display.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { DASHBOARD_STYLESHEET, EMBED_PATH } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import type { PaymentLink } from '#payment-link/payment-link.ts';
import type { ShopVisit } from './guard.ts';
import { linkField } from './pay-card.ts';
import { roomPath } from './shell.ts';

export function linkCards({ place, language }: ShopVisit, link: PaymentLink, url: string): Html {
  const { code, texts } = language;
  const { links, sell } = texts;
  return html`<section class="card" id="address"><h2>${sell.link}</h2>
${linkField(url, code, sell.link)}
<p class="ways"><a class="quiet" href="${url}" target="_blank" rel="noopener noreferrer">${sell.open}</a>
<a class="quiet" id="print" href="${roomPath(place, `/links/${link.id}/print`)}">${links.print}</a></p>
${qrCode(url, sell.code)}</section>
${snippetCard(language, 'snippet', [links.snippet, links.snippetHint], buttonOf(url, links.button))}
${snippetCard(
  language,
  'snippet-window',
  [links.snippetWindow, links.snippetWindowHint],
  windowButton(url, links.button),
)}
${
  link.amount === undefined &&
  snippetCard(
    language,
    'donations',
    [links.donations, links.donationsHint],
    donationButtons(language, link, url),
  )
}`;
}

function snippetCard(
  { code }: ShopVisit['language'],
  id: string,
  [title, hint]: readonly [title: string, hint: string],
  snippet: string,
): Html {
  const { page } = pageLanguage(code).texts;
  return html`<section class="card" id="${id}"><h2>${title}</h2><p>${hint}</p>
<pre class="snippet" tabindex="0"><code>${snippet}</code></pre>
<button type="button" class="quiet" data-copy="${snippet}" data-done="${page.copied}" hidden>${page.copy}</button></section>`;
}

/** Nothing of it is loaded from us until somebody presses it. */
function buttonOf(url: string, label: string): string {
  const style =
    'display:inline-block;padding:.75em 1.25em;border-radius:.6em;background:#0f6b63;color:#fff;' +
    'font:600 1rem system-ui,sans-serif;text-decoration:none';
  return html`<a href="${url}" rel="noopener" style="${style}">${label}</a>`.markup;
}

/** The same, which opens above the page where that page may show it; else it is a link. */
function windowButton(url: string, label: string): string {
  const script = new URL(EMBED_PATH, url).href;
  const checkout = html`<quittance-checkout>PLACE</quittance-checkout>
<script src="${script}" async></script>`;
  return checkout.markup.replace('PLACE', buttonOf(url, label));
}

/** Of the least amount that the link takes. */
const DONATIONS = [1n, 2n, 5n].map((times) => createDecimal(times, 0));
const LEAST_DONATION = createDecimal(5n, 0);

function donationButtons(
  { code, texts }: ShopVisit['language'],
  { currency, leastAmount, mostAmount }: PaymentLink,
  url: string,
): string {
  const amounts = DONATIONS.map((times) => multiply(leastAmount ?? LEAST_DONATION, times));
  const taken = amounts.filter((one) => mostAmount === undefined || compare(one, mostAmount) <= 0);
  const proposed = taken.map((amount) =>
    buttonOf(
      `${url}?${new URLSearchParams({ amount: decimalToText(amount) })}`,
      `${texts.links.donate}: ${moneyText(amount, currency, code)}`,
    ),
  );
  return [...proposed, buttonOf(url, texts.links.donate)].join('\n');
}

/** A page to hang up: the name of the shop, what is paid for, and the code, dark on white. */
export function linkPoster(
  { language }: Pick<ShopVisit, 'language'>,
  link: PaymentLink,
  { url, shopName }: { readonly url: string; readonly shopName: string },
): Page {
  const { code, texts } = language;
  return {
    language: code,
    title: visibleText(link.title),
    stylesheets: [DASHBOARD_STYLESHEET.path],
    body: html`<main id="main" class="poster" data-state="poster"><p class="shop">${foreignText(shopName)}</p>
<h1>${foreignText(link.title)}</h1>
${link.amount !== undefined && html`<p class="sum">${moneyText(link.amount, link.currency, code)}</p>`}
${link.description !== undefined && html`<p>${foreignText(link.description)}</p>`}
${qrCode(url, texts.sell.code)}
<p><strong>${texts.links.scan}</strong></p>
<p class="hint"><code>${url}</code></p></main>`,
  };
}
