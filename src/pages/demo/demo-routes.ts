// The demo shop: a merchant of this installation that uses it like any other, and shows what it
// got.
import { type Context, Hono } from 'hono';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { readBytes, readForm, requireSameOrigin } from '#pages/forms.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import type { DemoPort, PageApp } from '#pages/page-app.ts';
import { sendJson, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { cartCookie, changeCart, readCart } from './cart.ts';
import { demoRequest } from './demo-request.ts';
import { galleryRoutes } from './gallery.ts';
import { cartPage, EMBEDDED_CART, embeddedPage, orderPage, shelfPage } from './shop-pages.ts';
import { createWebhookLog, readWebhook } from './webhook-log.ts';

const WEBHOOK_BYTES_MAX = 512 * 1024;
/** In a minute. */
const ORDERS_PER_VISITOR = 20;
const ORDERS_PER_SHOP = 200;

export function demoRoutes(app: PageApp & { readonly demo: DemoPort }): Hono {
  const routes = new Hono();
  const log = createWebhookLog();
  const visitors = createTokenBuckets(app.clock, ORDERS_PER_VISITOR, 'from this address');
  const everybody = createTokenBuckets(app.clock, ORDERS_PER_SHOP, 'in this shop');
  // Whoever comes by may order, and each order is a checkout in the database.
  const takeOrder = (context: Context) => {
    visitors.take(app.clientAddressOf?.(context.req.raw, context.env) ?? '');
    everybody.take('');
  };
  const cartOf = (request: Request) => readCart(request.headers.get('cookie') ?? undefined);

  routes.get('/', (context) => sendPage(app, shelfPage(cartOf(context.req.raw))));
  routes.get('/cart', (context) => sendPage(app, cartPage(cartOf(context.req.raw), undefined)));
  routes.post('/cart', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    const form = await readForm(context.req.raw);
    const [add, remove] = [form.get('add'), form.get('remove')];
    const cart = changeCart(cartOf(context.req.raw), add ?? remove ?? '', add === null ? -1 : 1);
    return sendSeeOther('/demo/cart', { 'Set-Cookie': cartCookie(cart) });
  });
  routes.post('/checkout', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    const cart = cartOf(context.req.raw);
    if (cart.length === 0) return sendSeeOther('/demo/cart');
    takeOrder(context);
    try {
      const { url } = await app.demo.createDemoCheckout(demoRequest(cart, app.publicUrl));
      // The page is on this host too: going there by its path also works behind another name.
      return sendSeeOther(new URL(url).pathname, { 'Set-Cookie': cartCookie([]) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return sendPage(app, { ...cartPage(cart, error.details.join('; ')), status: 409 });
    }
  });
  routes.get('/embedded', (context) => sendPage(app, embeddedPage(cartOf(context.req.raw))));
  routes.post('/embedded', async (context) => {
    requireSameOrigin(context.req.raw, app.publicUrl);
    takeOrder(context);
    const request = demoRequest(EMBEDDED_CART, app.publicUrl);
    const path = new URL((await app.demo.createDemoCheckout(request)).url).pathname;
    // Without its script the button leads to the hosted page.
    const isScript = context.req.header('accept') === 'application/json';
    return isScript ? sendJson({ path }) : sendSeeOther(path);
  });
  routes.post('/webhook', async (context) => {
    const bytes = await readBytes(context.req.raw, WEBHOOK_BYTES_MAX);
    const body = new TextDecoder().decode(bytes);
    const secret = await app.demo.readApiSecret();
    const webhook = readWebhook(context.req.raw.headers, body, secret, app.clock.now());
    log.add(webhook);
    return sendJson({ received: true, verified: webhook.isVerified });
  });
  routes.get('/orders', (context) => {
    const id = context.req.query('checkoutId') ?? '';
    return isId(id) ? sendSeeOther(`/demo/orders/${id}`) : sendSeeOther('/demo');
  });
  routes.get('/orders/:id', (context) => {
    const id = context.req.param('id');
    const language = preferredLanguage(context.req.header('accept-language'));
    if (!isId(id)) return sendPage(app, missingPage(language));
    return sendPage(app, orderPage(cartOf(context.req.raw), id, log.list(id)));
  });
  routes.route('/states', galleryRoutes(app));
  return routes;
}
