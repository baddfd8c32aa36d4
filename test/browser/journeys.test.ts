// Whole journeys over the real server, whose own loops watch, settle and deliver: by keyboard alone
// from the demo shop to the receipt, without JavaScript the same, and with the buttons of the browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openBrowserPage } from './browser.ts';
import { follow, reloadUntil } from './follow.ts';

let server: ServerProcess;
before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  await holdBlocks(server.db);
  // Nobody is led away from a paid page while Tab is on its way to the button that stays.
  const stays = ['merchant', 'page', 'set', '--return-countdown-seconds', '300'];
  assert.equal((await server.command(...stays)).exitCode, 0);
});
after(async () => {
  assert.deepEqual(server.errors(), []);
  await server.close();
});

const mostStops = 60;
const stateOf = (page: Page) => page.locator('#main').getAttribute('data-state');
const inState = (page: Page, name: string) => page.waitForSelector(`#main[data-state="${name}"]`);

/** Goes on with Tab until what has the focus fits; there must be a ring to see around it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < mostStops; stops += 1) {
    await page.keyboard.press('Tab');
    const [isThere, outline] = await page.evaluate<[boolean, number]>(`(() => {
      const one = document.activeElement;
      return [one.matches(${JSON.stringify(selector)}), parseFloat(getComputedStyle(one).outlineWidth)];
    })()`);
    if (!isThere) continue;
    assert.ok(outline >= 2, `${selector} has no ring`);
    return;
  }
  assert.fail(`${selector} is not reached by Tab`);
}

async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Nobody who pays does this: it is the network that goes on. */
async function mineBlocks(page: Page): Promise<void> {
  const { origin, pathname, search } = new URL(page.url());
  for (let blocks = 0; blocks < 12; blocks += 1) {
    const answer = await fetch(`${origin}${pathname}/sandbox${search}`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ act: 'mine' }),
      redirect: 'manual',
    });
    assert.equal(answer.status, 303);
  }
}

test('by keyboard alone: shelf, cart, currency, wallet, payment, receipt, and back to the shop', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 1280, height: 800 });
  await page.goto(`${server.origin}/demo`);
  await press(page, 'button[name="add"]');
  await page.waitForSelector('#checkout');
  await press(page, '#checkout');
  await inState(page, 'choose');
  await press(page, 'button[value^="LITECOIN "]');
  await inState(page, 'pay');
  await press(page, '#sandbox-exact');
  await inState(page, 'seen');
  await mineBlocks(page);
  await inState(page, 'paid');
  await press(page, '#stay');
  await press(page, 'a[href$="/receipt"]');
  await inState(page, 'receipt');
  assert.match((await page.locator('h1').textContent()) ?? '', /Receipt/);
  await press(page, '#to-payment');
  await inState(page, 'paid');
  await press(page, '#return');
  await page.waitForURL(/\/demo\/orders\//);
  assert.deepEqual(faults, []);
  await context.close();
});

test('without JavaScript: choice, two payments, receipt and PDF, in the language of the browser', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false, locale: 'de-DE' });
  await page.goto(`${server.origin}/demo`);
  await follow(page, 'button[name="add"] >> nth=0');
  await follow(page, '#checkout');
  assert.equal(await stateOf(page), 'choose');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await follow(page, 'button[value^="LITECOIN "]');
  assert.equal(await stateOf(page), 'pay');
  await follow(page, '#sandbox-under');
  await reloadUntil(page, 'seen');
  await mineBlocks(page);
  await reloadUntil(page, 'partial');
  await follow(page, '#sandbox-rest');
  await reloadUntil(page, 'seen');
  await mineBlocks(page);
  await reloadUntil(page, 'paid');
  assert.equal(await page.locator('.payments li').count(), 2);
  await follow(page, 'a[href$="/receipt"]');
  assert.match((await page.locator('h1').textContent()) ?? '', /Quittung/);
  const waiting = page.waitForEvent('download');
  await page.locator('#pdf').click();
  assert.match((await waiting).suggestedFilename(), /\.pdf$/);
  await context.close();
});

test('back, forward and reload: always the page of now, and nothing is done twice', async () => {
  const { page, context, faults } = await openBrowserPage();
  await page.goto(`${server.origin}/demo`);
  await page.locator('button[name="add"]').first().click();
  await page.locator('#checkout').click();
  await inState(page, 'choose');
  await page.locator('button[value^="LITECOIN "]').click();
  await inState(page, 'pay');
  const address = await page.locator('#address').getAttribute('data-value');
  await page.goBack();
  await page.goForward();
  await inState(page, 'pay');
  await page.reload();
  assert.equal(await page.locator('#address').getAttribute('data-value'), address);
  await follow(page, '#sandbox-exact');
  await inState(page, 'seen');
  await page.reload();
  assert.equal(await stateOf(page), 'seen');
  assert.equal(await page.locator('.payments li').count(), 1, 'reloading does not pay again');
  await page.goBack();
  await inState(page, 'seen');
  assert.deepEqual(faults, []);
  await context.close();
});
