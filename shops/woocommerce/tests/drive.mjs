// What a person sees and does, in headless Chromium over real pages: buys on the classic checkout and on the
// block, pays on the hosted page, comes back; the shop gives a part back from the order. And webhooks
// and the customer at the same moment, by several processes of PHP: one change.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { launchChromium, PATIENCE_MS } from '#test/browser/chromium.ts';
import { Quittance } from '../../../clients/typescript/src/index.ts';

const together = 8;
const CLICKS_MOST = 12;
const OUTPUT = path.join(import.meta.dirname, '..', '..', '..', 'test-output', 'woocommerce');

export async function driveShop(site, env) {
  const browser = await launchChromium();
  const quittance = new Quittance({
    baseUrl: env.QUITTANCE_URL,
    key: env.QUITTANCE_KEY,
    secret: env.QUITTANCE_SECRET,
  });
  const look = (order, more = {}) =>
    JSON.parse(
      site
        .php(path.join(import.meta.dirname, 'look.php'), [order], {
          ...more,
          SHOP_PRODUCT: `${site.product}`,
        })
        .trim()
        .split('\n')
        .at(-1),
    );
  const world = { site, env, quittance, look, browser };
  try {
    for (const story of [buyClassic, buyWithBlock, refundFromOrder, payAtOnce, saveSettings]) {
      await story(world);
      console.log(`    ${story.name}`);
    }
  } finally {
    await browser.close();
  }
}

async function buyClassic(world) {
  const page = await cartFilled(world);
  await page.goto(`${world.site.url}/?page_id=${world.site.classic}`);
  for (const [field, value] of Object.entries(buyer)) await page.fill(`#billing_${field}`, value);
  await page.locator('.quittance-test').first().waitFor({ state: 'visible' });
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' });
  await page.click('#place_order');
  world.classicOrder = await payOnPage(world, page);
  await page.context().close();
}

async function buyWithBlock(world) {
  const page = await cartFilled(world);
  await page.goto(`${world.site.url}/?page_id=${world.site.blocks}`);
  await page.fill('#email', buyer.email);
  const kind = (await page.locator('#shipping-first_name').count()) > 0 ? 'shipping' : 'billing';
  const { first_name, last_name, address_1, postcode, city } = buyer;
  for (const [field, value] of Object.entries({
    first_name,
    last_name,
    address_1,
    postcode,
    city,
  })) {
    await page.fill(`#${kind}-${field}`, value);
  }
  // A later WooCommerce asks for it, an earlier one does not.
  const phone = page.locator(`#${kind}-phone`);
  if ((await phone.count()) > 0) await phone.fill(buyer.phone);
  await page.locator('.quittance-test').first().waitFor({ state: 'visible' });
  const button = page.locator('.wc-block-components-checkout-place-order-button');
  assert.match((await button.textContent()) ?? '', /Continue to payment/);
  await leaveBlock(world, page, button);
  await payOnPage(world, page);
  await page.context().close();
}

/** While the block tells the shop of the address it takes no click, or loses it. */
async function leaveBlock({ site }, page, button) {
  const hasLeft = () =>
    page
      .waitForURL((url) => url.origin !== site.url, { timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
  for (let left = CLICKS_MOST; left > 0; left -= 1) {
    await button.click({ timeout: 5000 }).catch(() => undefined);
    if (await hasLeft()) return;
  }
  fs.mkdirSync(OUTPUT, { recursive: true });
  await page.screenshot({ path: path.join(OUTPUT, 'block.png'), fullPage: true });
  const said = await page
    .locator('.wc-block-components-validation-error, [role=alert]')
    .allTextContents();
  throw new Error(
    `the checkout block does not go on: ${said.join(' | ')}, see ${OUTPUT}/block.png`,
  );
}

/** From the hosted page back to the shop; answers the number of the order. */
async function payOnPage({ site, quittance, look, env }, page) {
  const checkout = await shownCheckout(quittance, page, env);
  const { order } = checkout.meta;
  assert.equal(look(order).status, 'pending');
  await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  await page.goto(checkout.payload.links.returnUrl);
  await page
    .getByText(/Your order has been received|Order received/i)
    .first()
    .waitFor();
  const seen = look(order);
  assert.equal(seen.status, 'processing');
  assert.equal(Number(checkout.total), Number(seen.total));
  assert.equal(page.url().startsWith(site.url), true);
  return order;
}

/** The checkout whose payment page the shop led to. */
async function shownCheckout(quittance, page, env) {
  const { port } = new URL(env.QUITTANCE_URL);
  await page.waitForURL((url) => url.port === port);
  const { items } = await quittance.checkout.list({ limit: 10 }).first();
  const shown = new URL(page.url()).pathname;
  const checkout = items.find((one) => new URL(one.hostedCheckoutUrl).pathname === shown);
  assert.ok(checkout !== undefined, `${page.url()} is no payment page`);
  return checkout;
}

async function refundFromOrder({ site, look, browser, classicOrder }) {
  const page = await signedIn(browser, site);
  const edit =
    site.hpos === 'yes'
      ? `/wp-admin/admin.php?page=wc-orders&action=edit&id=${classicOrder}`
      : `/wp-admin/post.php?post=${classicOrder}&action=edit`;
  await page.goto(`${site.url}${edit}`);
  page.on('dialog', (dialog) => dialog.accept());
  await page.click('button.refund-items');
  await page.locator('input.refund_line_total').first().fill('5');
  await page.locator('input.refund_line_total').first().press('Tab');
  await Promise.all([page.waitForNavigation(), page.click('button.do-api-refund')]);
  const link = page.locator('#quittance a', { hasText: 'Say where' });
  await link.waitFor();
  const seen = look(classicOrder);
  assert.equal(seen.refunds.length, 1);
  assert.equal(seen.refunds[0].state, 'AWAITING_ADDRESS');
  assert.equal(await link.getAttribute('href'), seen.refunds[0].claimUrl);
  await page.context().close();
}

/** The same event eight times, seven returns of the customer, the webhook of the service itself. */
async function payAtOnce(world) {
  const { site, env, quittance, look } = world;
  const page = await cartFilled(world);
  await page.goto(`${site.url}/?page_id=${site.classic}`);
  for (const [field, value] of Object.entries(buyer)) await page.fill(`#billing_${field}`, value);
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' });
  await page.click('#place_order');
  const checkout = await shownCheckout(quittance, page, env);
  const { order } = checkout.meta;
  await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  // The webhook of the service may have been first: the shop forgets it, and hears of it at once.
  await (await sendWebhook(checkout, env)).text();
  const before = look(order, { SHOP_UNDO: 'yes' });
  const back = new URL(checkout.payload.links.returnUrl);
  const tries = Array.from({ length: together }, (_, index) => [
    sendWebhook(checkout, env),
    ...(index === 0 ? [] : [fetch(back)]),
  ]).flat();
  for (const { status } of await Promise.all(tries)) assert.ok(status < 300, `answered ${status}`);
  const seen = look(order);
  assert.equal(seen.status, 'processing');
  const added = (part) =>
    seen.notes.filter((note) => part.test(note)).length -
    before.notes.filter((note) => part.test(note)).length;
  assert.equal(added(/^Quittance: paid with/), 1);
  // A later WooCommerce notes the payment in place of the change of state.
  assert.equal(added(/to Processing|^Payment via /), 1);
  assert.equal(seen.stock, before.stock - 1);
  await page.context().close();
}

/** The form of the settings: the secrets stay out of the page, and what is wrong is said. */
async function saveSettings({ site, browser, env }) {
  const page = await signedIn(browser, site);
  const url = `${site.url}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=quittance`;
  await page.goto(url);
  const html = await page.content();
  assert.equal(
    html.includes(env.QUITTANCE_SECRET) || html.includes(env.QUITTANCE_WEBHOOK_SECRET),
    false,
  );
  // A later WooCommerce saves nothing where nothing was changed.
  await page.fill('#woocommerce_quittance_title', 'Bitcoin and others');
  await page.click('button[name="save"]');
  await page.getByText('The key is a test key').waitFor();
  await page.getByText('Quittance is in test mode').waitFor();
  await page.fill('#woocommerce_quittance_address', 'http://127.0.0.1:9');
  await page.click('button[name="save"]');
  await page.getByText('Nothing answers at http://127.0.0.1:9').waitFor();
  await page.fill('#woocommerce_quittance_address', env.QUITTANCE_URL);
  await page.click('button[name="save"]');
  await page.getByText('The key is a test key').waitFor();
  await page.context().close();
}

const buyer = {
  first_name: 'Ada',
  last_name: 'Example',
  address_1: 'Street 1',
  postcode: '10115',
  city: 'Berlin',
  phone: '030123456',
  email: 'ada@shop.example',
};

async function cartFilled({ site, browser }) {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${site.url}/?p=${site.product}`);
  await page.locator('.single_add_to_cart_button').first().click();
  await page.waitForLoadState();
  return page;
}

async function signedIn(browser, site) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1200 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${site.url}/wp-login.php`);
  await page.fill('#user_login', 'owner');
  await page.fill('#user_pass', 'owner-of-the-shop');
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  return page;
}

/** As the service sends it: both signatures. */
function sendWebhook(checkout, env) {
  const event = {
    id: 'abcdefgh0123',
    eventType: 'CHECKOUT_COMPLETED',
    sequence: 9,
    apiVersion: '1',
    created: new Date().toISOString(),
    data: { checkout: { id: checkout.id, state: 'COMPLETED', meta: checkout.meta } },
  };
  const body = JSON.stringify(event);
  const at = Math.floor(Date.now() / 1000);
  const key = Buffer.from(env.QUITTANCE_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${at}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
    'x-webhook-auth': createHash('sha256').update(env.QUITTANCE_SECRET).update(body).digest('hex'),
  };
  return fetch(checkout.payload.webhook, { method: 'POST', headers, body });
}
