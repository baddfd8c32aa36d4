// What a person sees and does, in headless Chromium over real pages: buys on the classic checkout and on the
// block, pays on the hosted page, comes back; the shop gives a part back from the order. And webhooks
// and the customer at the same moment, by several processes of PHP: one change.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launchChromium, PATIENCE_MS } from '#test/browser/chromium.ts';
import { Quittance } from '../../../clients/typescript/src/index.ts';
import { saveSettings, signedIn, tellOfRefusedWebhooks, tellOfTestMode } from './drive-admin.mjs';

const together = 8;
const CLICKS_MOST = 12;
const OUTPUT = path.join(import.meta.dirname, '..', '..', '..', 'test-output', 'woocommerce');

/** `site`: as of withSite. `env`, `command`: as of withLiveService. */
export async function driveShop(site, env, command) {
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
  const world = { site, env, command, quittance, look, browser };
  try {
    for (const story of STORIES) {
      await story(world);
      console.log(`    ${story.name}`);
    }
  } catch (error) {
    await savePages(browser);
    throw error;
  } finally {
    await browser.close();
  }
}

/** What was to be seen when a story ended early. */
async function savePages(browser) {
  fs.mkdirSync(OUTPUT, { recursive: true });
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.entries()) {
    const file = path.join(OUTPUT, `ended-early-${index}.png`);
    console.log(`    ended early at ${page.url()}, see ${file}`);
    await page.screenshot({ path: file, fullPage: true }).catch((error) => console.log(error));
  }
}

const STORIES = [
  buyClassic,
  buyWithBlock,
  refundFromOrder,
  payAtOnce,
  payAndLeave,
  payAndComeBack,
  buyInGerman,
  saveSettings,
  tellOfTestMode,
];

async function buyClassic(world) {
  const page = await orderClassic(world);
  world.classicOrder = await payOnPage(world, page);
  await page.context().close();
}

/** On the classic checkout, as far as its button that leads to the payment page. */
async function orderClassic(world, buttonText = /Continue to payment/, locale = 'en-GB') {
  const page = await cartFilled(world, locale);
  await page.goto(`${world.site.url}/?page_id=${world.site.classic}`);
  for (const [field, value] of Object.entries(buyer)) await page.fill(`#billing_${field}`, value);
  await page.locator('.quittance-test').first().waitFor({ state: 'visible' });
  await page.locator('.blockOverlay').first().waitFor({ state: 'detached' });
  assert.match((await page.textContent('#place_order')) ?? '', buttonText);
  await page.click('#place_order');
  return page;
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

/** Refused, with what to do in words, until the address of the server is listed; then asked for again. */
async function refundFromOrder({ site, look, browser, classicOrder, command }) {
  const page = await signedIn(browser, site);
  const edit =
    site.hpos === 'yes'
      ? `/wp-admin/admin.php?page=wc-orders&action=edit&id=${classicOrder}`
      : `/wp-admin/post.php?post=${classicOrder}&action=edit`;
  await page.goto(`${site.url}${edit}`);
  const said = [];
  page.on('dialog', (dialog) => {
    said.push(dialog.message());
    return dialog.accept();
  });
  const list = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'test'];
  command('allow-list', 'remove', ...list);
  await askForRefund(page);
  // First WooCommerce asks whether it is meant.
  await until('the shop says why', () => said.length > 1);
  assert.match(said[1], /does not refund this: .*open IP addresses, and list the address/);
  assert.match(said[1], /allow-list add 127\.0\.0\.1/);
  assert.deepEqual(look(classicOrder).refunds, []);
  command('allow-list', 'add', ...list);
  await page.reload();
  await Promise.all([page.waitForNavigation(), askForRefund(page)]);
  const link = page.locator('#quittance a', { hasText: 'Say where' });
  await link.waitFor();
  const seen = look(classicOrder);
  assert.equal(seen.refunds.length, 1);
  assert.equal(seen.refunds[0].state, 'AWAITING_ADDRESS');
  assert.equal(await link.getAttribute('href'), seen.refunds[0].claimUrl);
  await page.context().close();
}

/** Whoever gives back five of the first line: the answer of the shop has come. */
async function askForRefund(page) {
  const isAnswer = (response) =>
    response.request().postData()?.includes('action=woocommerce_refund_line_items') === true;
  await page.click('button.refund-items');
  await page.locator('input.refund_line_total').first().fill('5');
  await page.locator('input.refund_line_total').first().press('Tab');
  await Promise.all([page.waitForResponse(isAnswer), page.click('button.do-api-refund')]);
}

/** The same event eight times, seven returns of the customer, the webhook of the service itself. */
async function payAtOnce(world) {
  const { env, quittance, look } = world;
  const page = await orderClassic(world);
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

/** Whoever pays and closes the page: the webhook of the service alone tells the shop. */
async function payAndLeave(world) {
  const { quittance, look, env } = world;
  const page = await orderClassic(world);
  const checkout = await shownCheckout(quittance, page, env);
  await page.context().close();
  await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  await until('the webhook changes the order', () => {
    const { status } = look(checkout.meta.order);
    return status === 'processing';
  });
}

/**
 * Where webhooks are refused the return of the customer finds the payment. The people of the shop are told what is wrong with
 * the secret, and no more when it is right.
 */
async function payAndComeBack(world) {
  const { quittance, look, env, site } = world;
  const setSecret = (secret) =>
    site.php(path.join(import.meta.dirname, 'set-webhook-secret.php'), [secret]);
  const page = await orderClassic(world);
  const checkout = await shownCheckout(quittance, page, env);
  setSecret(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  const { order } = checkout.meta;
  await until('a webhook is refused', () => look(order).refused === order);
  assert.notEqual(look(order).status, 'processing');
  await page.goto(checkout.payload.links.returnUrl);
  assert.equal(look(order).status, 'processing');
  await page.context().close();
  await tellOfRefusedWebhooks(world, order);
  setSecret(env.QUITTANCE_WEBHOOK_SECRET);
}

async function until(what, isSo) {
  const endsAtMs = Date.now() + PATIENCE_MS;
  while (Date.now() < endsAtMs) {
    if (isSo()) return;
    await wait(500);
  }
  throw new Error(`it did not come to be: ${what}`);
}

/** A shop and a browser in German: the words of the plugin on the checkout, and those of the payment page. */
async function buyInGerman(world) {
  const speak = (language) =>
    world.site.php(path.join(import.meta.dirname, 'set-language.php'), [language]);
  speak('de_DE');
  const page = await orderClassic(world, /Weiter zur Zahlung/, 'de-DE');
  await shownCheckout(world.quittance, page, world.env);
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  await page.context().close();
  speak('');
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

async function cartFilled({ site, browser }, locale = 'en-GB') {
  const context = await browser.newContext({ locale });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${site.url}/?p=${site.product}`);
  await page.locator('.single_add_to_cart_button').first().click();
  await page.waitForLoadState();
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
