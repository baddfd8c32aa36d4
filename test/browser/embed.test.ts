// The script of shops on pages of shops in a real Chromium: a window above the page that a keyboard can use,
// messages between exact origins only, and a redirect wherever the frame is refused.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { openBrowserPage } from './browser.ts';

let server: ServerProcess;
let shop: Shop;
/** Allowed to frame checkouts, and not. */
let allowed: Site;
let hostile: Site;
before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  await holdBlocks(server.db);
  shop = await openShop(server, 'test');
  allowed = await openSite();
  hostile = await openSite();
  const { exitCode, stderr } = await server.command(
    ...['merchant', 'page', 'set', '--embed-origins', allowed.origin],
  );
  assert.equal(exitCode, 0, stderr);
});
after(async () => {
  allowed.server.close();
  hostile.server.close();
  await shop.close();
  await server.close();
});

type Site = { readonly server: Server; readonly origin: string };

/** A page of a shop with a strict policy: one script of ours, nothing inline. */
async function openSite(): Promise<Site> {
  const site = createServer((request, response) => {
    const isShop = request.url === '/';
    response.writeHead(200, {
      'content-type': 'text/html',
      ...(isShop && {
        'content-security-policy': `default-src 'none'; script-src ${server.origin}; frame-src *`,
      }),
    });
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title>
<main><h1>Shop</h1><button id="pay">Pay</button><a href="#more" id="more">More</a>
<pre>${'Long\n'.repeat(300)}</pre></main>
<script src="${server.origin}/embed.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { server: site, origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` };
}

async function newCheckout(): Promise<{ id: string; url: string }> {
  const { checkoutId: id } = await shop.open({ currency: 'EUR', amount: '19.90' }, 'LITECOIN');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  return { id, url: hostedCheckoutUrl };
}

/** The page of a site after a click on its button, which opens the checkout. */
async function openFrom(site: Site, url: string) {
  const opened = await openBrowserPage({ width: 800, height: 900 });
  const { page } = opened;
  await page.goto(`${site.origin}/`);
  await page.evaluate(`window.told = []; document.getElementById('pay').addEventListener('click', () => {
    window.opened = Quittance.open(${JSON.stringify(url)}, {
      onState: ({ state }) => told.push('state ' + state),
      onComplete: ({ checkoutId }) => told.push('complete ' + checkoutId),
      onClose: ({ state }) => told.push('close ' + state),
    });
  })`);
  await page.locator('#pay').focus();
  await page.keyboard.press('Enter');
  return { ...opened, frame: page.frameLocator('dialog iframe') };
}

const told = (page: Page) => page.evaluate<string[]>('told');
/** A message of the frame arrives after what the frame shows. */
function waitUntilTold(page: Page, message: string): Promise<void> {
  return waitUntil(`the page to be told: ${message}`, async () => {
    return (await told(page)).includes(message);
  });
}
const isInDialog = (page: Page) =>
  page.evaluate<boolean>(`document.activeElement.closest('dialog') !== null`);
const isScrollable = (page: Page) =>
  page.evaluate<boolean>(`getComputedStyle(document.documentElement).overflow !== 'hidden'`);
const post = (path: string, body: object) => shop.client.post(`/sandbox/${path}`, body);

test('the script is small, may be kept, and may be loaded by anybody', async () => {
  const answer = await fetch(`${server.origin}/embed.js`);
  const text = await answer.text();
  assert.ok(gzipSync(text).length < 5_000, `${gzipSync(text).length} bytes`);
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.doesNotMatch(text, /postMessage\([^)]*'\*'/);
});

test('from the button to the paid order without leaving the shop', async () => {
  const { id, url } = await newCheckout();
  const { page, context, frame, faults } = await openFrom(allowed, url);
  await frame.locator('#main[data-state="pay"]').waitFor();
  await post('pay', { checkoutId: id, network: 'LITECOIN' });
  await frame.locator('#main[data-state="seen"]').waitFor();
  await post('mine', { network: 'LITECOIN', blocks: 12 });
  await waitUntilTold(page, `complete ${id}`);
  await page.locator('dialog button').click();
  assert.equal(await page.locator('dialog').count(), 0);
  assert.equal(page.url(), `${allowed.origin}/`);
  const all = await told(page);
  assert.deepEqual(
    [all[0], ...all.slice(-3)],
    [...['state pay', 'state paid', `complete ${id}`, 'close paid']],
  );
  assert.ok(all.includes('state seen'));
  assert.deepEqual(faults, []);
  await context.close();
});

test('a part that is missing, and a time that is over, are told to the shop as well', async () => {
  const { id, url } = await newCheckout();
  const { page, context, frame, faults } = await openFrom(allowed, url);
  await waitUntilTold(page, 'state pay');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // It says so for a moment: whoever looks after the click may come too late.
  const isSaid = frame.locator('#address-copy', { hasText: 'Copied' }).waitFor();
  await Promise.all([isSaid, frame.locator('#address-copy').click()]);
  const address = (await frame.locator('#address').innerText()).replaceAll(/\s/g, '');
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), address);
  await post('pay', { checkoutId: id, network: 'LITECOIN', amount: '0.01' });
  await post('mine', { network: 'LITECOIN', blocks: 12 });
  await waitUntilTold(page, 'state partial');
  assert.ok(!(await told(page)).some((message) => message.startsWith('complete')));

  const late = await newCheckout();
  await page.evaluate(`opened = Quittance.open(${JSON.stringify(late.url)}, {
    onState: ({ state }) => told.push('late ' + state),
  })`);
  await waitUntilTold(page, 'late pay');
  await post('expire', { checkoutId: late.id });
  await waitUntilTold(page, 'late expired');
  assert.deepEqual(faults, []);
  await context.close();
});

test('choosing, a form, happens inside the window too', async () => {
  const { id } = await shop.client.createCheckout({
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: 'A good book', netAmount: '19.90' }],
    },
  });
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  const { page, context, frame, faults } = await openFrom(allowed, hostedCheckoutUrl);
  // The page that a form leaves says nothing any more.
  await waitUntilTold(page, 'state choose');
  await frame.getByRole('button', { name: /Litecoin/ }).click();
  await waitUntilTold(page, 'state pay');
  await page.waitForTimeout(500);
  assert.deepEqual(await told(page), ['state choose', 'state pay']);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a keyboard stays inside, Escape closes from either side, and the focus returns', async () => {
  const { url } = await newCheckout();
  const { page, context, frame } = await openFrom(allowed, url);
  await waitUntilTold(page, 'state pay');
  assert.equal(await isScrollable(page), false);
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const where = await page.evaluate<string>('document.activeElement.id');
    assert.ok(where !== 'pay' && where !== 'more', 'the page behind cannot be reached');
  }
  await page.locator('dialog button').focus();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'pay');
  assert.equal(await isScrollable(page), true);

  await page.evaluate('told = []');
  await page.keyboard.press('Enter');
  await waitUntilTold(page, 'state pay');
  await frame.locator('#address-copy').focus();
  assert.equal(await isInDialog(page), true);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'pay');
  assert.deepEqual(await told(page), ['state pay', 'close pay']);
  await context.close();
});

test('axe finds nothing wrong with the window, which has a name in the language of the page', async () => {
  const { url } = await newCheckout();
  const german = url.replace(/\/(?:auto|en)\/checkout/, '/de/checkout');
  const { page, context, frame } = await openFrom(allowed, german);
  await frame.locator('#main[data-state="pay"]').waitFor();
  assert.equal(await page.locator('dialog').getAttribute('aria-label'), 'Zahlung');
  assert.equal(await page.locator('dialog button').getAttribute('aria-label'), 'Schließen');
  const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
    [],
  );
  await context.close();
});

test('a second window takes the place of the first, and the page scrolls again after both', async () => {
  const [first, second] = [await newCheckout(), await newCheckout()];
  const { page, context, frame } = await openFrom(allowed, first.url);
  await waitUntilTold(page, 'state pay');
  await page.evaluate(`opened = Quittance.open(${JSON.stringify(second.url)})`);
  assert.equal(await page.locator('dialog').count(), 1);
  assert.deepEqual(await told(page), ['state pay', 'close pay']);
  await frame.locator('#main[data-state="pay"]').waitFor();
  await page.evaluate('opened.close(); opened.close()');
  assert.equal(await page.locator('dialog').count(), 0);
  assert.equal(await isScrollable(page), true);
  await context.close();
});

test('the way back to the shop closes the window: no shop inside its own frame', async () => {
  const { id } = await shop.client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '5' }] },
    pageSettings: { returnUrl: `${allowed.origin}/thanks` },
  });
  await shop.client.commit(id, 'LITECOIN');
  await post('pay', { checkoutId: id, network: 'LITECOIN' });
  await post('mine', { network: 'LITECOIN', blocks: 12 });
  await shop.client.waitForState(id, 'COMPLETED');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  const { page, context, frame } = await openFrom(allowed, hostedCheckoutUrl);
  await waitUntilTold(page, 'state paid');
  await frame.locator('#return').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(page.url(), `${allowed.origin}/`);
  assert.equal((await told(page)).at(-1), 'close paid');
  await context.close();
});

test('an origin that was not allowed gets no frame: its customer goes to the hosted page', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openFrom(hostile, url);
  await page.waitForURL(url);
  await page.waitForSelector('#main[data-state="pay"]');
  await context.close();
});

test('messages that are not of the checkout complete nothing', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openFrom(allowed, url);
  await waitUntilTold(page, 'state pay');
  const forged = `{ quittance: 1, type: 'state', state: 'paid', checkoutId: 'forged' }`;
  // From the page itself, and from a frame of another origin.
  await page.evaluate(`window.postMessage(${forged}, '*')`);
  await page.evaluate(`new Promise((resolve) => {
    const other = document.createElement('iframe');
    other.name = 'other';
    other.src = '${hostile.origin}/other';
    other.onload = resolve;
    document.body.append(other);
  })`);
  const other = page.frame({ name: 'other' });
  assert.ok(other !== null);
  await other.evaluate(`parent.postMessage(${forged}, '*')`);
  await page.waitForTimeout(300);
  assert.deepEqual(await told(page), ['state pay']);
  await context.close();
});

test('the checkout tells nothing to a window that is not around it, and is closed by none', async () => {
  const { url } = await newCheckout();
  const { page, context, frame } = await openFrom(allowed, url);
  await frame.locator('#main[data-state="pay"]').waitFor();
  await page.evaluate(`new Promise((resolve) => {
    const other = document.createElement('iframe');
    other.name = 'other';
    other.src = '${hostile.origin}/other';
    other.onload = resolve;
    document.body.append(other);
  })`);
  const other = page.frame({ name: 'other' });
  assert.ok(other !== null);
  await other.evaluate(`window.heard = [];
    addEventListener('message', ({ data }) => heard.push(data));
    for (let index = 0; index < parent.frames.length; index += 1) {
      parent.frames[index].postMessage({ quittance: 1, type: 'hello' }, '*');
    }`);
  await page.waitForTimeout(500);
  const heard = await other.evaluate<{ type?: string }[]>('heard');
  assert.deepEqual(
    heard.filter(({ type }) => type !== 'hello'),
    [],
  );
  await context.close();
});

test('an address of another server is refused; without dialogs there is a redirect', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openBrowserPage();
  await page.goto(`${allowed.origin}/`);
  const refusal = await page.evaluate<string>(`(() => {
    try { Quittance.open('${hostile.origin}/en/checkout/x'); return ''; }
    catch (error) { return error.name + ': ' + error.message; }
  })()`);
  assert.equal(refusal, `TypeError: Quittance: not a checkout of ${server.origin}`);
  await page.evaluate(`delete HTMLDialogElement.prototype.showModal;
    Quittance.open(${JSON.stringify(url)})`);
  await page.waitForURL(url);
  await context.close();
});

test('by default nobody frames a checkout', async () => {
  const { url } = await newCheckout();
  const policy = async () => {
    const { headers } = await fetch(url);
    return [
      /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0],
      headers.get('x-frame-options'),
    ];
  };
  assert.deepEqual(await policy(), [`frame-ancestors ${allowed.origin}`, null]);
  await server.command('merchant', 'page', 'unset', 'embed-origins');
  assert.deepEqual(await policy(), [`frame-ancestors 'none'`, 'DENY']);
});

test('the demo shop: paid in a window above its page', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 390, height: 800 });
  await page.goto(`${server.origin}/demo/embedded`);
  await page.locator('#pay').click();
  const frame = page.frameLocator('dialog iframe');
  await frame.getByRole('button', { name: /Litecoin/ }).click();
  await frame.locator('#sandbox-exact').click();
  await frame.locator('#main[data-state="seen"]').waitFor();
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '12');
  await page.locator('#result', { hasText: /Paid: [a-z0-9]{12}/ }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
