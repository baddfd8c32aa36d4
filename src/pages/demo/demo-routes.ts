// The demo shop: for each visitor a merchant of this installation that uses it like any other, and
// shows what it got. He gets it with his first order.

import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { assert } from '#base/assert.ts';
import { isId, newApiSecret } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { type CheckoutRequest, parseCheckoutRequest } from '#charge/checkout-request.ts';
import { decimalToText } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { readCookie } from '#pages/cookie.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { readBytes, readForm, requireSameOrigin } from '#pages/forms.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import type { DemoPort, PageApp } from '#pages/page-app.ts';
import { sendJson, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { cartCookie, changeCart, readCart } from './cart.ts';
import { galleryRoutes } from './gallery.ts';
import { CURRENCY, SHIPPING, SHOP_NAME, TAX_PERCENT } from './product.ts';
import {
  cartPage,
  type DemoVisit,
  EMBEDDED_CART,
  embeddedPage,
  orderPage,
  shelfPage,
} from './shop-pages.ts';
import { createWebhookLog, readWebhook } from './webhook-log.ts';

const WEBHOOK_BYTES_MAX = 512 * 1024;
/** In a minute, from one address and from all. */
const ORDERS_PER_ADDRESS = 20;
const ORDERS_MAX = 200;
/** In an hour, from one address. */
const SHOPS_PER_ADDRESS = 20;

type DemoApp = PageApp & { readonly demo: DemoPort };

export function demoRoutes(app: DemoApp): Hono {
  const routes = new Hono();
  const log = createWebhookLog();
  const takeOrder = orderTaker(app);

  routes.get('/', (context) => sendPage(app, shelfPage(visitOf(context))));
  routes.get('/cart', (context) => sendPage(app, cartPage(visitOf(context), undefined)));
  routes.post('/cart', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    const form = await readForm(context.req.raw);
    const [add, remove] = [form.get('add'), form.get('remove')];
    const cart = changeCart(visitOf(context).cart, add ?? remove ?? '', add === null ? -1 : 1);
    return sendSeeOther('/demo/cart', { 'Set-Cookie': cartCookie(cart) });
  });
  routes.post('/checkout', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    const visit = visitOf(context);
    if (visit.cart.length === 0) return sendSeeOther('/demo/cart');
    return takeOrder(context, async (visitor) => {
      try {
        const request = demoRequest(visit, visitor, app.publicUrl);
        const { url } = await app.demo.createDemoCheckout(visitor, request);
        // The page is on this host too: going there by its path also works behind another name.
        return sendSeeOther(new URL(url).pathname, { 'Set-Cookie': cartCookie([]) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return sendPage(app, { ...cartPage(visit, error.details.join('; ')), status: 409 });
      }
    });
  });
  routes.get('/embedded', (context) => sendPage(app, embeddedPage(visitOf(context))));
  routes.post('/embedded', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    return takeOrder(context, async (visitor) => {
      const visit = { ...visitOf(context), cart: EMBEDDED_CART };
      const request = demoRequest(visit, visitor, app.publicUrl);
      const path = new URL((await app.demo.createDemoCheckout(visitor, request)).url).pathname;
      // Without its script the button leads to the hosted page.
      const isScript = context.req.header('accept') === 'application/json';
      return isScript ? sendJson({ path }) : sendSeeOther(path);
    });
  });
  routes.post('/webhook/:visitor', async (context) => {
    const visitor = context.req.param('visitor');
    const bytes = await readBytes(context.req.raw, WEBHOOK_BYTES_MAX);
    const body = new TextDecoder().decode(bytes);
    const secret = isVisitor(visitor) ? await app.demo.readApiSecret(visitor) : undefined;
    // Of an order from before the shop was handed on: taken, so that it is not sent again.
    if (secret === undefined) return sendJson({ received: true, verified: false });
    const webhook = readWebhook(context.req.raw.headers, body, secret, app.clock.now());
    log.add(visitor, webhook);
    return sendJson({ received: true, verified: webhook.isVerified });
  });
  // Who follows the link of his checkout may come without his cookie, to another name of this host.
  routes.get('/orders/:visitor', (context) => {
    const visitor = context.req.param('visitor');
    const id = context.req.query('checkoutId') ?? '';
    const isOrder = isVisitor(visitor) && isId(id);
    return sendSeeOther(isOrder ? `/demo/orders/${visitor}/${id}` : '/demo');
  });
  routes.get('/orders/:visitor/:id', (context) => {
    const { visitor, id } = context.req.param();
    const visit = visitOf(context);
    if (!isVisitor(visitor) || !isId(id)) return sendPage(app, missingPage(visit.language));
    return sendPage(app, orderPage(visit, id, log.list(visitor, id)));
  });
  routes.route('/states', galleryRoutes(app));
  return routes;
}

function visitOf(context: Context): DemoVisit {
  const language = preferredLanguage(context.req.header('accept-language'));
  return { language, cart: readCart(cookiesOf(context.req.raw)) };
}

type Order = (visitor: string) => Promise<Response>;

/** Whoever comes by may order: each order is a checkout in the database, a first one a merchant. */
function orderTaker(app: DemoApp): (context: Context, order: Order) => Promise<Response> {
  const { clock, demo, publicUrl, random } = app;
  const addresses = createTokenBuckets(clock, ORDERS_PER_ADDRESS, 'from this address');
  const everybody = createTokenBuckets(clock, ORDERS_MAX, 'in this shop');
  const newcomers = createTokenBuckets(clock, SHOPS_PER_ADDRESS, 'from this address', 'hour');
  return async (context, order) => {
    const address = app.clientAddressOf?.(context.req.raw, context.env) ?? '';
    addresses.take(address);
    everybody.take('');
    const known = readVisitor(cookiesOf(context.req.raw));
    if (known !== undefined && (await demo.useShop(known))) return order(known);
    newcomers.take(address);
    const secret = newApiSecret(random);
    const visitor = visitorOf(secret);
    await demo.openShop(visitor);
    const answer = await order(visitor);
    answer.headers.append('Set-Cookie', visitorCookie(secret, publicUrl));
    return answer;
  };
}

function cookiesOf(request: Request): string | undefined {
  return request.headers.get('cookie') ?? undefined;
}

// The request that the demo shop sends, like any other shop would: through the same checks.

/** `publicUrl`: where the order pages, and the receiver of this visitor's shop, can be reached. */
function demoRequest(visit: DemoVisit, visitor: string, publicUrl: string): CheckoutRequest {
  const { cart, language } = visit;
  const { shop } = language.texts;
  const body = {
    charge: {
      billingCurrency: CURRENCY,
      lineItems: cart.map(({ product, quantity }) => ({
        description: shop.products[product.id].name,
        netAmount: decimalToText(product.price),
        quantity: String(quantity),
        productId: product.id,
      })),
      shippingCostItems: [
        { description: shop.post, netAmount: decimalToText(SHIPPING), taxable: true },
      ],
      taxItems: [{ name: shop.tax, percent: decimalToText(TAX_PERCENT) }],
    },
    settlementAsset: 'ORIGIN',
    checkoutLanguage: 'auto',
    webhook: `${publicUrl}/demo/webhook/${visitor}`,
    pageSettings: {
      shopName: SHOP_NAME,
      returnUrl: `${publicUrl}/demo/orders/${visitor}`,
      cancelUrl: `${publicUrl}/demo/cart`,
    },
    meta: { shop: 'demo' },
  };
  const parsed = parseExactJson(JSON.stringify(body));
  assert(parsed.ok, 'the demo shop sends JSON');
  return parseCheckoutRequest(parsed.value);
}

// Who a visitor of the demo shop is: whoever has the secret in his cookie. The service keeps its
// hash alone, by which his shop is known.
const COOKIE_NAME = 'demo_visitor';
/** As newApiSecret makes it, 124 bits. */
const SECRET = /^[a-z0-9]{4}(?:-[a-z0-9]{4}){5}$/;
const VISITOR = /^[0-9a-f]{64}$/;

/** Undefined without a cookie, or when another hand wrote it. */
function readVisitor(cookies: string | undefined): string | undefined {
  const secret = readCookie(cookies, COOKIE_NAME);
  return SECRET.test(secret) ? visitorOf(secret) : undefined;
}

/**
 * 64 hexadecimal digits, which tell nothing of the secret. The addresses of his receiver and of his
 * order pages have them: whoever knows them sees his orders, but orders nothing.
 */
export function visitorOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isVisitor(text: string): boolean {
  return VISITOR.test(text);
}

/** Value of Set-Cookie. A page of another site that leads here sends it along, a form does not. */
function visitorCookie(secret: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE_NAME}=${secret}; Path=/demo; HttpOnly; SameSite=Lax${secure}`;
}
