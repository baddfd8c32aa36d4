// The pages of the demo shop: shelves, cart, and the order as a shop sees it.
import { add, createDecimal, type Decimal, multiply } from '#money/decimal.ts';
import { momentText, moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { ShopTexts } from '#pages/languages/paying/en.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { EMBED_PATH, EMBED_SAMPLE_SCRIPT } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import { type Cart, cartCount, cartTotal } from './cart.ts';
import { CURRENCY, PRODUCTS, type Product, SHIPPING, SHOP_NAME } from './product.ts';
import { lastWord, prettyJson, type ReceivedWebhook } from './webhook-log.ts';

/** Who looks, in which language, and what he has taken. */
export type DemoVisit = { readonly language: PageLanguage; readonly cart: Cart };

/** An order that is not paid asks again by itself. */
const RELOAD_SECONDS = 5;

export function shelfPage(visit: DemoVisit): Page {
  const { shop } = visit.language.texts;
  return shopPage(
    visit,
    shop.title,
    'shelf',
    html`<h1>${shop.title}</h1>
<p class="hint">${shop.hint}
<a href="/demo/embedded">${shop.embedded}</a></p>
<form method="post" action="/demo/cart"><ul class="shelf">${PRODUCTS.map((product) =>
      shelfItem(product, visit.language),
    )}</ul></form>
<p><a class="quiet" id="states" href="/demo/states">${shop.states}</a></p>`,
  );
}

function shelfItem({ id, price, drawing }: Product, { code, texts }: PageLanguage): Html {
  const { add, addOf, products } = texts.shop;
  const { name, about } = products[id];
  return html`<li class="card product">${drawing}
<h2>${name}</h2><p class="hint">${about}</p>
<p class="price">${moneyText(price, CURRENCY, code)}</p>
<button class="button" name="add" value="${id}" aria-label="${addOf(name)}">${add}</button></li>`;
}

export function cartPage(visit: DemoVisit, fault: string | undefined): Page {
  const { cart, language } = visit;
  const { shop } = language.texts;
  const money = (amount: Decimal) => moneyText(amount, CURRENCY, language.code);
  const lines = cart.map(({ product: { id, price }, quantity }) => {
    const { name } = shop.products[id];
    return html`<li class="cart-line"><span class="cart-name">${name}</span>
<span class="stepper"><button name="remove" value="${id}" aria-label="${shop.less(
      name,
    )}">−</button><span>${quantity}</span><button name="add" value="${id}" aria-label="${shop.more(
      name,
    )}">+</button></span>
<span class="cart-sum">${money(multiply(price, createDecimal(BigInt(quantity), 0)))}</span></li>`;
  });
  const full = html`<form method="post" action="/demo/cart"><ul class="cart-lines">${lines}</ul></form>
<dl class="lines"><div><dt>${shop.post}</dt><dd>${money(SHIPPING)}</dd></div>
<div class="total"><dt>${shop.total}</dt>
<dd>${money(add(cartTotal(cart), SHIPPING))}</dd></div></dl>
<form method="post" action="/demo/checkout">
<button class="button" id="checkout">${shop.checkOut}</button></form>`;
  const empty = html`<p>${shop.empty}</p><p><a class="button" href="/demo">${shop.look}</a></p>`;
  return shopPage(
    visit,
    shop.cart,
    'cart',
    html`<section class="card"><h1>${shop.cart}</h1>
${fault !== undefined && html`<p class="warning" role="alert" lang="en">${fault}</p>`}
${cart.length === 0 ? empty : full}</section>`,
  );
}

/** What the shop tells its customer, and why: the webhooks that arrived, with their proof. */
export function orderPage(
  visit: DemoVisit,
  checkoutId: string,
  webhooks: readonly ReceivedWebhook[],
): Page {
  const { shop } = visit.language.texts;
  const last = lastWord(webhooks);
  const status = shop.told[statusOf(last?.state)];
  const isOpen = last?.state !== 'COMPLETED';
  const page = shopPage(
    visit,
    `${shop.order} ${checkoutId}`,
    'order',
    html`<section class="card"${isOpen && html` data-reload="${RELOAD_SECONDS}"`}>
<h1>${status.title}</h1>
<p class="hint">${status.hint}</p>
<dl class="lines"><div><dt>${shop.order}</dt><dd><code>${checkoutId}</code></dd></div>
<div><dt>${shop.state}</dt>
<dd id="order-state">${last?.state ?? shop.none}</dd></div></dl>
<p><a class="button" href="/demo">${shop.back}</a></p></section>
<section class="card"><h2>${shop.webhooks}</h2>
<p class="hint">${shop.webhooksHint}</p>
${
  webhooks.length === 0
    ? html`<p id="no-webhook">${shop.nothing}</p>`
    : webhooks.map((webhook, index) => webhookItem(webhook, index === 0, visit.language))
}
</section>`,
  );
  return { ...page, refreshSeconds: isOpen ? RELOAD_SECONDS : undefined };
}

function webhookItem(webhook: ReceivedWebhook, isOpen: boolean, language: PageLanguage): Html {
  const { shop } = language.texts;
  return html`<details class="webhook"${isOpen && html` open`}>
<summary><strong>${webhook.eventType ?? shop.noEvent}</strong> <span class="badge ${
    webhook.isVerified ? 'good' : 'bad'
  }" data-verified="${webhook.isVerified ? 'yes' : 'no'}">${
    webhook.isVerified ? shop.verified : shop.unverified
  }</span> <span class="hint">${momentText(webhook.receivedAt, language.code)}</span></summary>
<pre dir="ltr" tabindex="0" aria-label="${shop.headers}">${webhook.headers.map(([name, value]) => `${name}: ${value}\n`)}</pre>
<pre dir="ltr" tabindex="0" aria-label="${shop.body}">${prettyJson(webhook.body)}</pre></details>`;
}

function statusOf(state: string | undefined): keyof ShopTexts['told'] {
  switch (state) {
    case 'COMPLETED':
      return 'completed';
    case 'PENDING':
      return 'pending';
    case 'UNDERPAID':
      return 'underpaid';
    case 'EXPIRED':
      return 'expired';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return 'waiting';
  }
}

function shopPage({ cart, language }: DemoVisit, title: string, state: string, body: Html): Page {
  const { page, shop } = language.texts;
  return {
    language: language.code,
    title: `${title} · ${SHOP_NAME}`,
    body: html`<a class="skip" href="#main">${shop.skip}</a>
<aside class="strip" aria-label="${page.testMode}"><strong>${page.testMode}</strong>
${page.testModeHint}</aside>
<div class="page">
<header class="top"><a class="brand" href="/demo">${SHOP_NAME}</a>
<nav aria-label="${shop.shop}"><a class="cart-link" href="/demo/cart">${shop.cart} <span class="badge">${cartCount(
      cart,
    )}</span></a></nav></header>
<main id="main" data-state="${state}">${body}</main>
<footer class="foot">${shop.madeUp} <a href="/">${shop.about}</a></footer>
</div>`,
  };
}

/** One thing to buy, without a cart. */
export const EMBEDDED_CART: Cart = PRODUCTS.slice(0, 1).map((product) => ({
  product,
  quantity: 1,
}));

export function embeddedPage(visit: DemoVisit): Page {
  const { shop } = visit.language.texts;
  const names = EMBEDDED_CART.map(({ product }) => shop.products[product.id].name);
  const page = shopPage(
    visit,
    shop.embedded,
    'embedded',
    html`<section class="card"><h1>${shop.embedded}</h1>
<p>${shop.embeddedHint(names.join(', '))} <a href="/docs/embed">${shop.howTo}</a></p>
<form method="post" action="/demo/embedded" id="pay-here">
<button class="button" id="pay">${shop.payHere}</button></form>
<p id="result" role="status"></p></section>`,
  );
  return { ...page, scripts: [EMBED_PATH, EMBED_SAMPLE_SCRIPT.path] };
}
