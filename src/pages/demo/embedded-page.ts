// A shop that stays where it is: its customer pays in a window above the page.
import { html } from '#pages/html.ts';
import { EMBED_PATH, EMBED_SAMPLE_SCRIPT } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import type { Cart } from './cart.ts';
import { PRODUCTS } from './product.ts';
import { shopPage } from './shop-pages.ts';

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
checkout, opened by embed.js. <a href="/docs/guides/embed">How to do it in a shop</a></p>
<form method="post" action="/demo/embedded" id="pay-here">
<button class="button" id="pay">Pay here</button></form>
<p id="result" role="status"></p></section>`,
  );
  return { ...page, scripts: [EMBED_PATH, EMBED_SAMPLE_SCRIPT.path] };
}
