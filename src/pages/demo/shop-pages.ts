// The pages of the demo shop: shelves, cart, and the order as a shop sees it. English only: it is
// made for developers.
import { add, createDecimal, type Decimal, multiply } from '#money/decimal.ts';
import { momentText, moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { EMBED_PATH, EMBED_SAMPLE_SCRIPT } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import { type Cart, cartCount, cartTotal } from './cart.ts';
import { CURRENCY, PRODUCTS, type Product, SHIPPING, SHOP_NAME } from './product.ts';
import { lastWord, prettyJson, type ReceivedWebhook } from './webhook-log.ts';

const LANGUAGE = 'en';
/** An order that is not paid asks again by itself. */
const RELOAD_SECONDS = 5;

export function shelfPage(cart: Cart): Page {
  return shopPage(
    cart,
    'Things for writing by hand',
    'shelf',
    html`<h1>Things for writing by hand</h1>
<p class="hint">A demo shop: take something, check out, and pay with the sandbox wallet.
Or <a href="/demo/embedded">pay without leaving the page</a>.</p>
<form method="post" action="/demo/cart"><ul class="shelf">${PRODUCTS.map(shelfItem)}</ul></form>
<p><a class="quiet" id="states" href="/demo/states">Look at every state of the hosted page</a></p>`,
  );
}

function shelfItem(product: Product): Html {
  return html`<li class="card product">${product.drawing}
<h2>${product.name}</h2><p class="hint">${product.about}</p>
<p class="price">${moneyText(product.price, CURRENCY, LANGUAGE)}</p>
<button class="button" name="add" value="${product.id}" aria-label="Add to cart: ${
    product.name
  }">Add to cart</button></li>`;
}

export function cartPage(cart: Cart, fault: string | undefined): Page {
  const money = (amount: Decimal) => moneyText(amount, CURRENCY, LANGUAGE);
  const lines = cart.map(
    ({ product, quantity }) => html`<li class="cart-line">
<span class="cart-name">${product.name}</span>
<span class="stepper"><button name="remove" value="${product.id}" aria-label="One less: ${
      product.name
    }">−</button><span>${quantity}</span><button name="add" value="${
      product.id
    }" aria-label="One more: ${product.name}">+</button></span>
<span class="cart-sum">${money(multiply(product.price, createDecimal(BigInt(quantity), 0)))}</span></li>`,
  );
  const full = html`<form method="post" action="/demo/cart"><ul class="cart-lines">${lines}</ul></form>
<dl class="lines"><div><dt>Letter post</dt><dd>${money(SHIPPING)}</dd></div>
<div class="total"><dt>Total before VAT</dt>
<dd>${money(add(cartTotal(cart), SHIPPING))}</dd></div></dl>
<form method="post" action="/demo/checkout">
<button class="button" id="checkout">Check out with crypto</button></form>`;
  const empty = html`<p>Your cart is empty.</p><p><a class="button" href="/demo">Look around</a></p>`;
  return shopPage(
    cart,
    'Cart',
    'cart',
    html`<section class="card"><h1>Cart</h1>
${fault !== undefined && html`<p class="warning" role="alert">${fault}</p>`}
${cart.length === 0 ? empty : full}</section>`,
  );
}

/** What the shop tells its customer, and why: the webhooks that arrived, with their proof. */
export function orderPage(
  cart: Cart,
  checkoutId: string,
  webhooks: readonly ReceivedWebhook[],
): Page {
  const last = lastWord(webhooks);
  const status = statusOf(last?.state);
  const isOpen = last?.state !== 'COMPLETED';
  const page = shopPage(
    cart,
    `Order ${checkoutId}`,
    'order',
    html`<section class="card"${isOpen && html` data-reload="${RELOAD_SECONDS}"`}>
<h1>${status.title}</h1>
<p class="hint">${status.hint}</p>
<dl class="lines"><div><dt>Order</dt><dd><code>${checkoutId}</code></dd></div>
<div><dt>State in the last webhook</dt>
<dd id="order-state">${last?.state ?? 'none yet'}</dd></div></dl>
<p><a class="button" href="/demo">Back to the shop</a></p></section>
<section class="card"><h2>Webhooks received</h2>
<p class="hint">This is all the shop knows. It believes a webhook only when the signature fits,
and the one with the highest sequence.</p>
${
  webhooks.length === 0
    ? html`<p id="no-webhook">Nothing arrived yet. This page asks again by itself.</p>`
    : webhooks.map(webhookItem)
}
</section>`,
  );
  return { ...page, refreshSeconds: isOpen ? RELOAD_SECONDS : undefined };
}

function webhookItem(webhook: ReceivedWebhook, index: number): Html {
  return html`<details class="webhook"${index === 0 && html` open`}>
<summary><strong>${webhook.eventType ?? 'not an event'}</strong> <span class="badge ${
    webhook.isVerified ? 'good' : 'bad'
  }" data-verified="${webhook.isVerified ? 'yes' : 'no'}">signature verified: ${
    webhook.isVerified ? 'yes' : 'no'
  }</span> <span class="hint">${momentText(webhook.receivedAt, LANGUAGE)}</span></summary>
<pre tabindex="0" aria-label="Headers">${webhook.headers.map(([name, value]) => `${name}: ${value}\n`)}</pre>
<pre tabindex="0" aria-label="Body">${prettyJson(webhook.body)}</pre></details>`;
}

function statusOf(state: string | undefined): { title: string; hint: string } {
  switch (state) {
    case 'COMPLETED':
      return { title: 'Thank you! Your order is paid.', hint: 'We are wrapping it already.' };
    case 'PENDING':
      return { title: 'Your payment is on its way.', hint: 'The network is confirming it.' };
    case 'UNDERPAID':
      return { title: 'A part is still missing.', hint: 'The checkout page shows how to send it.' };
    case 'EXPIRED':
      return { title: 'Not paid in time.', hint: 'If you paid later, it still counts.' };
    case 'CANCELLED':
      return { title: 'Cancelled.', hint: 'Nothing was charged.' };
    default:
      return { title: 'Waiting for the payment.', hint: 'The shop has heard nothing yet.' };
  }
}

function shopPage(cart: Cart, title: string, state: string, body: Html): Page {
  const count = cartCount(cart);
  return {
    language: LANGUAGE,
    title: `${title} · ${SHOP_NAME}`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<aside class="strip" aria-label="Test mode"><strong>Test mode</strong> A demo shop.
No real money moves here.</aside>
<div class="page">
<header class="top"><a class="brand" href="/demo">${SHOP_NAME}</a>
<nav aria-label="Shop"><a class="cart-link" href="/demo/cart">Cart <span class="badge">${count}</span></a></nav></header>
<main id="main" data-state="${state}">${body}</main>
<footer class="foot">Orders and goods are made up. <a href="/">About this service</a></footer>
</div>`,
  };
}

/** One thing to buy, without a cart. */
export const EMBEDDED_CART: Cart = PRODUCTS.slice(0, 1).map((product) => ({
  product,
  quantity: 1,
}));

export function embeddedPage(cart: Cart): Page {
  const page = shopPage(
    cart,
    'Pay without leaving',
    'embedded',
    html`<section class="card"><h1>Pay without leaving</h1>
<p>${EMBEDDED_CART.map(({ product }) => product.name)}, in a window above this page: the hosted
checkout, opened by one script. <a href="/docs/embed">How to do it in a shop</a></p>
<form method="post" action="/demo/embedded" id="pay-here">
<button class="button" id="pay">Pay here</button></form>
<p id="result" role="status"></p></section>`,
  );
  return { ...page, scripts: [EMBED_PATH, EMBED_SAMPLE_SCRIPT.path] };
}
