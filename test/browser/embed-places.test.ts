// embed-v1.js beyond the window: in a place of the page and as an element, on a shop of another site
// in frames without cookies; what it tells, and who is told nothing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { openKeyring } from '#installation/keyring.ts';
import { parseDecimal } from '#money/decimal.ts';
import { EMBED_SCRIPT } from '#pages/page-assets.ts';
import { createPaymentLink, paymentLinkUrl } from '#payment-link/payment-link.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';

const MANUAL_PAGE = readFileSync('src/pages/docs/manual/embed.md', 'utf8');
const INTEGRITY = `sha384-${createHash('sha384').update(EMBED_SCRIPT).digest('base64')}`;
const EVENTS = [
  ...['ready', 'ask', 'choose', 'link', 'committed', 'seen', 'partial', 'paid'],
  'expired',
  'cancelled',
  ...['trouble', 'resize', 'error', 'closed'],
];
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };

let server: ServerProcess;
let shop: Shop;
let site: Server;
/** Of another site than the server: `localhost` is not 127.0.0.1. */
let home: string;
/** The same machine under a name that was not allowed. */
let stranger: string;
before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  await holdBlocks(server.db);
  shop = await openShop(server, 'test');
  site = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${server.origin}; frame-src *`,
    });
    response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Shop</title><main><h1>Shop</h1>${searchParams.get('body') ?? ''}</main>
<script src="${server.origin}/embed/v1.js" integrity="${INTEGRITY}" crossorigin="anonymous"></script>`);
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
  const { port } = site.address() as AddressInfo;
  [home, stranger] = [`http://localhost:${port}`, `http://other.localhost:${port}`];
  const { exitCode, stderr } = await server.command(
    ...['merchant', 'page', 'set', '--embed-origins', home],
  );
  assert.equal(exitCode, 0, stderr);
});
after(async () => {
  site.close();
  await shop.close();
  await server.close();
});

async function newCheckout(returnUrl?: string): Promise<{ id: string; url: string }> {
  const { id } = await shop.client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '19.90' }] },
    ...(returnUrl && { pageSettings: { returnUrl } }),
  });
  const { hostedCheckoutUrl: url } = await shop.client.findCheckout(id);
  return { id, url };
}

const elementOf = (url: string) =>
  `<quittance-checkout mode="inline" src="${url}"></quittance-checkout>`;

/** A page of the shop with this body; what it is told is kept in `told`. */
async function openPage(body: string, viewport = DESK, origin = home) {
  const { page, context } = await openBrowserPage(viewport);
  await page.addInitScript(`window.told = [];
    for (const name of ${JSON.stringify(EVENTS)}) document.addEventListener('quittance:' + name,
      ({ detail }) => told.push({ name, ...detail }));`);
  await page.goto(`${origin}/?${new URLSearchParams({ body })}`);
  return { page, context, frame: page.frameLocator('iframe') };
}

type Told = {
  readonly name: string;
  readonly state?: string;
  readonly checkoutId?: string;
  readonly height?: number;
};
const toldOf = (page: Page) => page.evaluate<Told[]>('told');
const namesOf = async (page: Page) => {
  const names = (await toldOf(page)).map(({ name }) => name);
  return names.filter((name, at) => name !== 'resize' && name !== names[at - 1]);
};
const waitUntilTold = (page: Page, name: string) =>
  waitUntil(`the page to be told ${name}`, async () =>
    (await toldOf(page)).some((one) => one.name === name),
  );

async function pay(checkoutId: string): Promise<void> {
  await shop.client.post('/sandbox/pay', { checkoutId, network: 'LITECOIN' });
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 12 });
}

test('the manual has the integrity of the script, which is what shops pin', () => {
  assert.ok(MANUAL_PAGE.includes(`integrity="${INTEGRITY}"`), INTEGRITY);
});

test('in a place of the page: chosen, paid and told, as high as its content', async () => {
  const { id, url } = await newCheckout(`${home}/thanks`);
  for (const viewport of [PHONE, DESK]) {
    const { page, context, frame } = await openPage('<div id="place"></div>', viewport);
    await page.evaluate(
      `Quittance.mount(document.getElementById('place'), { url: ${JSON.stringify(url)} })`,
    );
    await waitUntilTold(page, 'resize');
    const heights = await page.evaluate<number[]>(`[document.querySelector('iframe').offsetHeight,
      told.findLast(({ name }) => name === 'resize').height]`);
    assert.equal(heights[0], heights[1]);
    assert.equal(
      await frame.locator('html').evaluate(`document.documentElement.scrollHeight -
      document.documentElement.clientHeight`),
      0,
    );
    assert.equal(await frame.locator('.foot').isVisible(), false, 'the shop says whose page it is');
    assert.deepEqual(await findAxeFaults(page), []);
    if (viewport === DESK) {
      await frame.getByRole('button', { name: /Litecoin/ }).click();
      await waitUntilTold(page, 'committed');
      await pay(id);
      await waitUntilTold(page, 'paid');
      assert.deepEqual(
        (await namesOf(page)).filter((name) => name !== 'seen'),
        ['ready', 'choose', 'committed', 'paid'],
      );
      const last = (await toldOf(page)).find(({ name }) => name === 'paid');
      assert.deepEqual(last, { name: 'paid', state: 'paid', checkoutId: id });
      assert.ok(page.url().startsWith(`${home}/?`), 'nobody is sent on by himself');
      await frame.locator('#return').click();
      await page.waitForURL(`${home}/thanks?checkoutId=${id}`);
    }
    await context.close();
  }
});

test('what the shop asks first is answered in the place too, and the way back by POST leaves it', async () => {
  const { id } = await shop.client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '20' }] },
    pageSettings: {
      returnUrl: `${home}/thanks`,
      returnMethod: 'POST',
      asks: [{ key: 'name', label: 'Name on the card', required: true }],
      tipPercents: ['0.1'],
    },
  });
  const { hostedCheckoutUrl: url } = await shop.client.findCheckout(id);
  const { page, context, frame } = await openPage(elementOf(url), PHONE);
  await frame.locator('#go').click();
  await frame.locator('#main[data-state="ask"] [name="ask-name"]:invalid').waitFor();
  await frame.locator('[name="ask-name"]').fill('Ada');
  await frame.locator('[name="tip"][value="2"]').check();
  await frame.locator('#go').click();
  // The button works before the page has told where it is.
  await waitUntilTold(page, 'choose');
  await frame.getByRole('button', { name: /Litecoin/ }).click();
  await waitUntilTold(page, 'committed');
  assert.deepEqual(await namesOf(page), ['ready', 'ask', 'choose', 'committed']);
  await pay(id);
  await waitUntilTold(page, 'paid');
  const { checkout } = await shop.client.get<{ checkout: object }>('/checkout', { id });
  assert.partialDeepStrictEqual(checkout, { answers: { name: 'Ada' }, total: '22', tip: '2' });
  const came = page.waitForRequest((request) => request.url().startsWith(`${home}/thanks`));
  await frame.locator('#return').click();
  const request = await came;
  assert.deepEqual([request.method(), request.frame() === page.mainFrame()], ['POST', true]);
  const sent = new URLSearchParams(request.postData() ?? '');
  assert.deepEqual([sent.get('checkoutId'), sent.has('signature')], [id, true]);
  await context.close();
});

test('as an element: a link that opens a window, whole on a telephone, and closes', async () => {
  const { id, url } = await newCheckout();
  const body = `<quittance-checkout mode="modal"><a href="${url}">Pay</a></quittance-checkout>`;
  for (const viewport of [PHONE, DESK]) {
    const { page, context, frame } = await openPage(body, viewport);
    await page.getByRole('link', { name: 'Pay' }).click();
    await frame.locator('#main[data-state="choose"]').waitFor();
    await waitUntilTold(page, 'choose');
    const panel = await page.locator('dialog > div').boundingBox();
    assert.deepEqual([panel?.width, panel?.height], viewport === PHONE ? [360, 740] : [480, 832]);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await namesOf(page), ['ready', 'choose', 'closed']);
    const ids = (await toldOf(page)).map(({ checkoutId }) => checkoutId);
    assert.deepEqual([...new Set(ids)], [id]);
    await context.close();
  }
});

test('as an element in a place, which follows its attributes and ends with it', async () => {
  const { url } = await newCheckout();
  const { page, context, frame } = await openPage(
    `<quittance-checkout id="here" mode="inline" src="${url}"></quittance-checkout>`,
  );
  await frame.locator('#main[data-state="choose"]').waitFor();
  await waitUntilTold(page, 'ready');
  assert.equal(await page.locator('iframe').count(), 1);
  const other = await newCheckout();
  await page.evaluate(
    `document.getElementById('here').setAttribute('src', ${JSON.stringify(other.url)})`,
  );
  await waitUntil('the other checkout', async () =>
    (await toldOf(page)).some(({ checkoutId }) => checkoutId === other.id),
  );
  await page.evaluate(`document.getElementById('here').remove()`);
  assert.equal(await page.locator('iframe').count(), 0);
  await context.close();
});

/** As a browser does it that blocks cookies of other sites: storage throws, cookies are not kept. */
const BLOCK_STORAGE = `if (window.parent !== window) {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(window, name, { get() {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    } });
  }
  Object.defineProperty(document, 'cookie', { get: () => '', set() {} });
}`;

test('a frame without cookies and storage, as browsers block them, is enough to pay', async () => {
  const { id, url } = await newCheckout();
  const { page, context, frame } = await openPage('');
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.addInitScript(BLOCK_STORAGE);
  await page.goto(`${home}/?${new URLSearchParams({ body: elementOf(url) })}`);
  await frame.locator('#main[data-state="choose"]').waitFor();
  await frame.getByRole('button', { name: /Litecoin/ }).click();
  await waitUntilTold(page, 'committed');
  await frame.locator('#sandbox-exact').click();
  await waitUntilTold(page, 'seen');
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 12 });
  await shop.client.waitForState(id, 'COMPLETED');
  await waitUntilTold(page, 'paid');
  assert.deepEqual(faults, []);
  assert.deepEqual(await context.cookies(url), []);
  await context.close();
});

test('a payment link opens in a window as well, and becomes a checkout in it', async () => {
  const keyring = openKeyring(server.keyFile, systemRandom);
  const app = { db: server.db, clock: systemClock, random: systemRandom, keyring };
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const;
  const terms = { amount: parseDecimal('19.90'), title: 'Book', currency: 'EUR' };
  const none = { description: undefined, leastAmount: undefined, mostAmount: undefined };
  const link = await createPaymentLink(app, owner, {
    ...{ ...terms, ...none, settlementAsset: 'ORIGIN', stock: undefined },
    endsAt: undefined,
  });
  const origins = { publicUrl: server.origin, keyring };
  const url = paymentLinkUrl(origins, { pageOrigin: undefined }, link);
  const body = `<quittance-checkout><a href="${url}">Pay</a></quittance-checkout>`;
  const { page, context, frame } = await openPage(body, PHONE);
  await page.getByRole('link', { name: 'Pay' }).click();
  await frame.locator('#pay').click();
  await frame.locator('#main[data-state="choose"]').waitFor();
  await waitUntilTold(page, 'choose');
  assert.deepEqual(await namesOf(page), ['ready', 'link', 'choose']);
  await context.close();
});

test('who was not allowed sees why, with a link to a window, and the shop is told', async () => {
  const { url } = await newCheckout();
  const { page, context, frame } = await openPage(
    `<quittance-checkout mode="inline" src="${url}"></quittance-checkout>`,
    PHONE,
    stranger,
  );
  const link = frame.locator('#new-window');
  await link.waitFor();
  assert.equal(await frame.getByText('inside another page').count(), 1);
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.deepEqual(await frame.locator('form').count(), 0);
  await waitUntilTold(page, 'error');
  const own = page.getByRole('link', { name: 'Open in a new window' });
  const [opened] = await Promise.all([context.waitForEvent('page'), own.click()]);
  await opened.locator('#main[data-state="choose"]').waitFor();
  assert.equal(opened.url(), url);
  assert.deepEqual(await namesOf(page), ['error']);
  await context.close();
});

test('other frames of the shop hear nothing, and what they forge is not believed', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openPage(
    `<iframe name="other" src="${stranger}"></iframe>
    <quittance-checkout mode="inline" src="${url}"></quittance-checkout>`,
  );
  await waitUntilTold(page, 'choose');
  const other = page.frame({ name: 'other' });
  assert.ok(other !== null);
  await other.evaluate(`window.heard = [];
    addEventListener('message', ({ data }) => heard.push(data));
    for (const type of ['state', 'close', 'size']) parent.postMessage(
      { quittance: 1, type, state: 'paid', checkoutId: 'forged', height: 1 }, '*');
    for (let at = 0; at < parent.frames.length; at += 1)
      parent.frames[at].postMessage({ quittance: 1, type: 'hello', mode: 'modal' }, '*');`);
  await page.waitForTimeout(300);
  assert.deepEqual(await namesOf(page), ['ready', 'choose']);
  const heard = await other.evaluate<{ type: string }[]>('heard');
  assert.deepEqual([...new Set(heard.map(({ type }) => type))], ['hello']);
  await context.close();
});
