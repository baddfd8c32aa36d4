// Open pages of the real server in a real Chromium: they follow what happens through restarts, cut
// streams, sleep, hidden and second tabs, reload and the way back, and leave focus and selection
// where they are.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openMerchantClient } from '#test/support/merchant-client.ts';
import { runLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';

let server: ServerProcess;
let shop: Shop;
before(async () => {
  server = await openServerProcess();
  await server.start();
  await holdBlocks(server.db);
  shop = await openShop(server, 'test');
});
after(async () => {
  const errors = server.errors();
  await shop.close();
  await server.close();
  assert.deepEqual(errors, []);
});

const charge = { currency: 'EUR', amount: '19.90' };
/** With patience: after some time without an answer a page asks every 45 seconds at least. */
const inState = (page: Page, name: string) => page.waitForSelector(`#main[data-state="${name}"]`);
const pay = (checkoutId: string, more: object = {}) =>
  shop.client.post('/sandbox/pay', { checkoutId, network: 'LITECOIN', ...more });
const mine = () => shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 12 });

/** A page that asks for Litecoin. */
async function openPayPage(options: Parameters<typeof openBrowserPage>[0] = {}) {
  const { checkoutId: id } = await shop.open(charge, 'LITECOIN');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  const opened = await openBrowserPage(options);
  const requests: string[] = [];
  opened.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, server.origin);
  await opened.page.goto(url);
  await inState(opened.page, 'pay');
  return { ...opened, id, url, requests };
}

async function assertWithin(mostMs: number, act: () => Promise<void>): Promise<void> {
  const startMs = performance.now();
  await act();
  const ms = performance.now() - startMs;
  assert.ok(ms < mostMs, `not within ${mostMs} ms but after ${ms}`);
}

const count = (requests: readonly string[], end: string) =>
  requests.filter((path) => path.endsWith(end)).length;

test('by one stream, without asking, from pay to paid; then nothing is asked any more', async () => {
  const { page, context, id, requests, faults } = await openPayPage();
  await pay(id);
  await inState(page, 'seen');
  await mine();
  await inState(page, 'paid');
  assert.equal(count(requests, '/events'), 1);
  assert.equal(count(requests, '/state'), 0);
  await page.waitForTimeout(5_000);
  assert.equal(count(requests, '/events'), 1, 'no stream is opened after the end');
  assert.deepEqual(faults, []);
  await context.close();
});

test('a server that restarts in between is not noticed but by what it shows afterwards; an orderly stop ends the streams of open pages', async () => {
  const { page, context, id } = await openPayPage();
  const streams: Request[] = [];
  const ends = new Map<Request, 'ended' | 'cut'>();
  page.on('response', (response) => {
    if (response.url().includes('/events?')) streams.push(response.request());
  });
  page.on('requestfinished', (request) => void ends.set(request, 'ended'));
  page.on('requestfailed', (request) => void ends.set(request, 'cut'));
  await page.reload();
  const isOpen = (stream: Request) => !ends.has(stream);
  await waitUntil('a stream to be open', async () => streams.some(isOpen));
  const open = streams.filter(isOpen);
  await server.stop();
  // It does not wait until it has to cut them.
  await waitUntil('the streams to end', async () => !open.some(isOpen));
  assert.deepEqual(new Set(open.map((stream) => ends.get(stream))), new Set(['ended']));
  await page.waitForTimeout(3_000);
  await server.start();
  await pay(id);
  await inState(page, 'seen');
  await server.kill9();
  await server.start();
  await mine();
  await inState(page, 'paid');
  await context.close();
});

test('what the payer in test mode can do follows too, and focus stays on what stays', async () => {
  const { page, context, id, faults } = await openPayPage();
  const isThere = async (act: string) => (await page.locator(`#sandbox-${act}`).count()) === 1;
  assert.deepEqual([await isThere('exact'), await isThere('rest')], [true, false]);
  await page.locator('#sandbox-mine').focus();
  await pay(id, { amount: '0.01' });
  await inState(page, 'seen');
  assert.deepEqual([await isThere('exact'), await isThere('rest')], [false, true]);
  assert.equal(await page.evaluate('document.activeElement.id'), 'sandbox-mine');
  await follow(page, '#sandbox-rest');
  await page.locator('#sandbox-mine').focus();
  await mine();
  await inState(page, 'paid');
  assert.deepEqual([await isThere('exact'), await isThere('rest')], [false, false]);
  assert.match(String(await page.evaluate('document.activeElement.id')), /^sandbox-/);
  assert.deepEqual(faults, []);
  await context.close();
});

test('where streams are cut or refused it asks, and still follows', async () => {
  const cut = await openBrowserPage();
  await cut.page.route('**/events?*', (route) => route.abort());
  const refused = await openBrowserPage();
  await refused.page.route('**/events?*', (route) => route.fulfill({ status: 503 }));
  const without = await openBrowserPage();
  await without.page.addInitScript('delete window.EventSource');
  const { checkoutId: id } = await shop.open(charge, 'LITECOIN');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, server.origin);
  for (const { page } of [cut, refused, without]) {
    await page.goto(url);
    await inState(page, 'pay');
  }
  await pay(id);
  for (const { page } of [cut, refused, without]) await inState(page, 'seen');
  await mine();
  for (const { page, context } of [cut, refused, without]) {
    await inState(page, 'paid');
    await context.close();
  }
});

test('after sleep, and out of the background, a page is up to date at once', async () => {
  const { page, context, id, requests } = await openPayPage();
  const hide = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await page.clock.install();
  await page.reload();
  await inState(page, 'pay');
  await hide(true);
  await page.clock.runFor(90_000);
  const before = count(requests, '/events');
  await pay(id);
  await page.waitForTimeout(1_500);
  assert.equal(await page.locator('#main').getAttribute('data-state'), 'pay', 'it does not listen');
  await hide(false);
  await inState(page, 'seen');
  assert.equal(count(requests, '/events'), before + 1);
  // The lid was closed: time jumped, timers did not run.
  await page.clock.fastForward(3_600_000);
  await waitUntil('a new stream', () => count(requests, '/events') === before + 2);
  await mine();
  await inState(page, 'paid');
  await context.close();
});

test('reload, the way back, and a second tab show the same', async () => {
  const { page, context, id, url } = await openPayPage();
  const other = await context.newPage();
  await other.goto(url);
  await inState(other, 'pay');
  await page.goto(`${server.origin}/demo`);
  await pay(id);
  await inState(other, 'seen');
  await page.goBack();
  await inState(page, 'seen');
  await page.reload();
  await inState(page, 'seen');
  await mine();
  await inState(page, 'paid');
  await inState(other, 'paid');
  await context.close();
});

test('the focus stays where it is; it goes to the title when what had it is gone', async () => {
  const { page, context, id } = await openPayPage();
  const focused = () => page.evaluate<string>('document.activeElement.id');
  await page.locator('#address-copy').focus();
  await pay(id, { amount: '0.00001' });
  await inState(page, 'seen');
  const after = await focused();
  const isThere = await page.locator('#address-copy').count();
  assert.equal(after, isThere > 0 ? 'address-copy' : 'title');
  await context.close();
});

test('confirmations rise under a selection, a focus and an open fold, and none of them is lost', async () => {
  const { page, context, id } = await openPayPage({ width: 1280, height: 900 });
  await pay(id);
  await inState(page, 'seen');
  await page.evaluate(`(() => {
    window.kept = document.querySelector('#main a, #main button, #main summary, #title');
    window.kept.focus();
    document.getSelection().selectAllChildren(document.querySelector('#main code'));
  })()`);
  const selected = await page.evaluate<string>('String(document.getSelection())');
  assert.ok(selected.length > 10);
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 1 });
  await page.waitForSelector('[data-confirmations="1"]');
  assert.equal(await page.evaluate<string>('String(document.getSelection())'), selected);
  assert.equal(await page.evaluate<boolean>('document.activeElement === window.kept'), true);
  await context.close();
});

test('who selects the address by hand hears of the payment at once, and sees it when done', async () => {
  const { page, context, id } = await openPayPage();
  await page.evaluate(
    `document.getSelection().selectAllChildren(document.querySelector('#address'))`,
  );
  const selected = await page.evaluate<string>('String(document.getSelection())');
  await pay(id);
  await page.locator('#live', { hasText: 'payment' }).waitFor({ state: 'attached' });
  assert.equal(await page.evaluate<string>('String(document.getSelection())'), selected);
  await page.evaluate('document.getSelection().removeAllRanges()');
  await inState(page, 'seen');

  const second = await openPayPage();
  await second.page.evaluate(
    `document.getSelection().selectAllChildren(document.querySelector('#address'))`,
  );
  await pay(second.id);
  // Nobody is left looking at a page that asks for what was paid.
  await inState(second.page, 'seen');
  await context.close();
  await second.context.close();
});

/** separate-processes.test.ts sells through such processes in a short run. */
if (runLength === 'long') {
  test('a process that only serves tells soon what another one wrote, to pages and to clients that wait', async () => {
    const reader = await openServerProcess({
      settings: { ROLES: 'serve', DATABASE_URL: server.databaseUrl, KEY_FILE: server.keyFile },
    });
    try {
      await reader.start();
      // A page that is not told looks by itself after 15 seconds, a client after five.
      const open = () => shop.open(charge, 'LITECOIN');
      const { checkoutId } = await open();
      const { hostedCheckoutUrl } = await shop.client.findCheckout(checkoutId);
      const { page, context } = await openBrowserPage();
      const stream = page.waitForResponse(/\/events\?/);
      await page.goto(reader.origin + new URL(hostedCheckoutUrl).pathname);
      await stream;
      await assertWithin(12_000, async () => {
        await pay(checkoutId);
        await inState(page, 'seen');
      });
      await context.close();

      const client = openMerchantClient(reader.origin, shop.key);
      const ids = await Promise.all(
        Array.from({ length: 6 }, async () => (await open()).checkoutId),
      );
      await assertWithin(20_000, async () => {
        for (const id of ids) {
          const asked = client.get<{ checkout: { state: string } }>('/checkout', {
            id,
            wait: '20',
          });
          await sleep(300);
          await pay(id);
          assert.equal((await asked).checkout.state, 'PENDING');
        }
      });
    } finally {
      await reader.close();
    }
  });
}
