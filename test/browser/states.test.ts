// States of the hosted page in a real Chromium, from the gallery of the demo shop: by keyboard,
// printed, and what the script adds to the paid page. How all of them look: layout.test.ts,
// accessible.test.ts.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { demoShop } from '#server/demo-shop.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';
import { findLayoutFaults } from './layout-facts.ts';

let world: TestApp;
let origin: string;
const server = createServer();

before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app } = world;
  const pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: demoShop(app),
  });
  server.on('request', getRequestListener(pages.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

const sampleUrl = (name: string, language = 'en') =>
  `${origin}/demo/states/${name}?language=${language}`;

test('the gallery fits phones, and axe finds nothing', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 320, height: 640 });
  await page.goto(`${origin}/demo/states`);
  assert.deepEqual(await findAxeFaults(page), []);
  assert.deepEqual(await findLayoutFaults(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test('by keyboard: copy buttons, code, wallet, and the ways out come in the order they are read', async () => {
  const { page, context } = await openBrowserPage({ width: 390, height: 800 });
  await page.goto(sampleUrl('pay'));
  await page.locator('#code summary').click();
  await page.evaluate(`document.querySelector('.skip').focus()`);
  const order: string[] = [];
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    order.push(await page.evaluate<string>('document.activeElement.id'));
  }
  const ids = order.filter((id) => id !== '');
  assert.deepEqual(ids.slice(0, 9), [
    'amount-copy',
    'address-copy',
    'wallet',
    'zoom',
    'qr-link',
    'qr-address',
    'unify',
    'signal',
    'change',
  ]);
  await context.close();
});

test('back to the shop by itself: told, counted, and stopped by a button', async () => {
  const { page, context } = await openBrowserPage();
  // It stands still, however long the page takes to come.
  await page.clock.install({ time: '2026-01-05T08:00:00Z' });
  await page.clock.pauseAt('2026-01-05T08:00:01Z');
  await page.goto(sampleUrl('paid'));
  const notice = page.locator('[data-leave]');
  assert.match((await notice.textContent()) ?? '', /in 10 seconds/);
  await page.clock.runFor(4_000);
  assert.match((await notice.textContent()) ?? '', /in 6 seconds/);
  await page.locator('#stay').click();
  assert.equal(await notice.isVisible(), false);
  await page.clock.runFor(60_000);
  assert.ok(page.url().includes('/demo/states/paid?'));
  await page.reload();
  await page.clock.runFor(11_000);
  await page.waitForURL(/\/demo\/states\?language=en$/);
  await context.close();
});

test('when the price ends, code, amount and wallet go at once, without a word of the server', async () => {
  const { page, context } = await openBrowserPage({ width: 1280, height: 800 });
  await page.clock.install({ time: '2026-01-05T08:00:00Z' });
  await page.clock.pauseAt('2026-01-05T08:00:01Z');
  await page.goto(sampleUrl('pay-urgent'));
  const shown = () =>
    Promise.all(
      ['#qr .qr', '#amount', '#address', '#wallet'].map((selector) =>
        page.locator(selector).isVisible(),
      ),
    );
  // The sample has 200 seconds left.
  await page.clock.runFor(199_000);
  assert.deepEqual(await shown(), [true, true, true, true]);
  assert.match((await page.locator('.time').textContent()) ?? '', /^0:01 left/);
  await page.clock.runFor(1_010);
  assert.deepEqual(await shown(), [false, false, false, false]);
  assert.equal(await page.locator('.time').textContent(), 'The time for this price is over.');
  assert.equal(await page.locator('#live').textContent(), 'The time for this price is over.');
  await context.close();
});

test('times stand in the zone of the reader, which is named; without JavaScript in UTC', async () => {
  const time = (page: Page) => page.locator('time').first().textContent();
  const { page, context } = await openBrowserPage({ timezoneId: 'Asia/Tokyo' });
  await page.goto(sampleUrl('paid-before'));
  assert.equal(await time(page), 'March 1, 2026 at 9:20 PM GMT+9');
  await page.goto(sampleUrl('pay', 'de'));
  assert.equal(await time(page), '20:55 GMT+9');
  await context.close();
  const plain = await openBrowserPage({ javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' });
  await plain.page.goto(sampleUrl('paid-before'));
  assert.match((await time(plain.page)) ?? '', /12:20\sPM UTC$/);
  await plain.context.close();
});

test('an old payment stays on the screen, and without JavaScript there is a plain link', async () => {
  const { page, context } = await openBrowserPage();
  await page.goto(sampleUrl('paid-before'));
  assert.equal(await page.locator('[data-leave]').count(), 0);
  assert.equal(await page.locator('#return').isVisible(), true);
  await context.close();
  const plain = await openBrowserPage({ javaScriptEnabled: false });
  await plain.page.goto(sampleUrl('paid'));
  assert.equal(await plain.page.locator('[data-leave]').isVisible(), false);
  assert.equal(await plain.page.locator('#return').isVisible(), true);
  await plain.context.close();
});

test('a pasted transaction is answered without JavaScript, and the answer has the focus', async () => {
  const id = await world.create();
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false, width: 320 });
  await page.goto(`${origin}/en/checkout/${pageToken(world.app.keyring, id)}`);
  await follow(page, 'button[value^="LITECOIN "]');
  await page.locator('#find summary').click();
  await page.getByLabel('Transaction hash').fill('f'.repeat(64));
  await follow(page, '#find-button');
  const answer = page.locator('#found');
  assert.match((await answer.textContent()) ?? '', /We do not see it yet/);
  // The browser gives it when it draws the page.
  const focused = () => page.evaluate<string>('document.activeElement.id');
  await waitUntil('the focus on the answer', async () => (await focused()) === 'found');
  assert.equal(await page.locator('#main').getAttribute('data-state'), 'pay');
  await context.close();
});

test('printed, a page shows what was paid and nothing that can only be pressed', async () => {
  const { page, context } = await openBrowserPage({ colorScheme: 'dark' });
  await page.goto(sampleUrl('paid'));
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.languages', '#return', '[data-leave]']) {
    assert.equal(await page.locator(hidden).isVisible(), false, hidden);
  }
  assert.equal(await page.locator('.transaction').isVisible(), true);
  const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  assert.equal(ground, 'rgb(255, 255, 255)');
  await context.close();
});

test('nothing turns for who asked for less motion', async () => {
  const { page, context } = await openBrowserPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(sampleUrl('seen'));
  const name = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('.mark.wait')).animationName`,
  );
  assert.equal(name, 'none');
  await context.close();
});

test('an explorer opens by a click alone, and learns nothing of the page', async () => {
  const { page, context } = await openBrowserPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) foreign.push(request.url());
  });
  await page.goto(sampleUrl('seen-live'));
  const link = page.getByRole('link', { name: /litecoinspace/ });
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.deepEqual(foreign, []);
  await context.close();
});
