// A cashier sells at the counter in a real browser: on a telephone and on a screen, with a script and
// without; the customer scans the code with a telephone of his own. And kiosk mode, which nothing
// leads out of.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { byLength, runLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type BrowserOptions, openBrowserPage } from './browser.ts';
import { payAsCustomer, scanCode } from './customer.ts';
import { follow } from './follow.ts';
import { listenToPages, notesHeard } from './heard.ts';
import { openRooms } from './walk.ts';

const PASSWORD = 'four horses eat blue grass';

let server: ServerProcess;
before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  await holdBlocks(server.db);
});
after(async () => {
  assert.deepEqual(server.errors(), []);
  await server.close();
});

type AtWork = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
  /** Where the shop's rooms with test money are. */
  readonly shop: string;
};

let invited = 0;
/** Somebody who has opened the link of an invitation. */
async function comeAs(role: string, options: BrowserOptions): Promise<AtWork> {
  invited += 1;
  const asked = [`person${invited}@shop.example`, '--role', role, '--by', 'ann', '--json'];
  const { link } = (await server.command('person', 'invite', ...asked)).json;
  const opened = await openBrowserPage(options);
  const { page } = opened;
  await listenToPages(opened.context);
  await page.goto(String(link));
  const byPassword = page.locator('#way-password');
  if (await byPassword.isVisible()) await byPassword.click();
  await page.fill('#name', 'Carl');
  await page.fill('#password', PASSWORD);
  await follow(page, '#submit');
  const shop = page.url().replace(/\/live\/.*/, '/test');
  return { ...opened, shop };
}

function saleIn(page: Page, state: string): Promise<unknown> {
  return page.waitForSelector(`#sale[data-sale-state="${state}"]`);
}

/** The sound of a paid sale: an e and an a above it, loud enough for a counter. */
async function hearTwoNotes(page: Page): Promise<void> {
  const isHeard = async () => {
    const heard = await notesHeard(page);
    const lower = heard.findIndex((note) => Math.abs(note - 660) <= 20);
    return lower >= 0 && heard.slice(lower).some((note) => Math.abs(note - 880) <= 20);
  };
  await waitUntil('the two notes of a paid sale', isHeard);
}

async function mine(): Promise<void> {
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
}

type Counter = readonly [width: number, height: number, javaScriptEnabled: boolean];
const PHONE_WITH_SCRIPT: Counter = [390, 844, true];
const SCREEN_WITHOUT: Counter = [1440, 900, false];
const SHORT = [PHONE_WITH_SCRIPT, SCREEN_WITHOUT];
const COUNTERS: readonly Counter[] = byLength({
  short: SHORT,
  long: [...SHORT, [390, 844, false], [1440, 900, true]],
});

for (const [width, height, javaScriptEnabled] of COUNTERS) {
  const how = `${width} pixels, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
  test(`a cashier sells at the counter, and the screen turns to paid by itself: ${how}`, async () => {
    const options = { width, height, javaScriptEnabled };
    const { page, context, faults } = await comeAs('CASHIER', options);
    await follow(page, '.toggle a >> nth=1');
    await openRooms(page, 'a[href$="/test/pos"]');
    await follow(page, 'a[href$="/test/pos"]');
    // The script shows it, a moment after the page.
    if (javaScriptEnabled) await page.locator('.keypad').waitFor();
    assert.equal(await page.locator('.keypad').isVisible(), javaScriptEnabled);
    if (javaScriptEnabled) {
      for (const key of ['1', '3', 'erase', '2', '.', '5', '0']) {
        await page.click(`[data-key="${key}"]`);
      }
      assert.equal(await page.inputValue('#amount'), '12.50');
    } else await page.fill('#amount', '12,50');
    await page.click('label[for="tip-10"]');
    await follow(page, '#ask');
    await saleIn(page, 'NEW');
    assert.equal(await page.locator('#sale .sum').textContent(), '€13.75');
    const [top, bottom] = await page.evaluate<[number, number]>(`(() => {
      const { top, bottom } = document.querySelector('#sale svg.qr').getBoundingClientRect();
      return [top, innerHeight - bottom];
    })()`);
    assert.ok(top >= 0 && bottom >= 0, `the code is not on the screen: ${top} ${bottom}`);
    await payAsCustomer(await scanCode(page));
    // Nobody touches the counter.
    await saleIn(page, 'PENDING');
    await mine();
    await saleIn(page, 'COMPLETED');
    assert.equal(await page.locator('#sale [role=status]').textContent(), 'Paid');
    assert.equal(await page.locator('#sale svg.qr').count(), 0);
    if (javaScriptEnabled) await hearTwoNotes(page);
    await follow(page, '#next');
    assert.equal(await page.inputValue('#amount'), '');
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test('items are tapped, a sale is cancelled, and nobody rings for it', async () => {
  const { page, context, faults, shop } = await comeAs('OWNER', { width: 390, height: 844 });
  await page.goto(`${shop}/pos`);
  for (const [name, price] of [
    ['Cake', '4'],
    ['Espresso', '2.20'],
  ] as const) {
    await page.fill('#name', name);
    await page.fill('#price', price);
    await follow(page, '#save-item');
  }
  for (const name of ['Espresso', 'Espresso', 'Cake'])
    await page.click(`[aria-label="+1 ${name}"]`);
  await follow(page, '#ask');
  assert.equal(await page.locator('#sale .sum').textContent(), '€8.40');
  await follow(page, '#cancel');
  await saleIn(page, 'CANCELLED');
  assert.deepEqual(await notesHeard(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a script that hears of nothing asks, and a session that ended is not shown as waiting', async () => {
  const { page, context, shop } = await comeAs('CASHIER', { width: 390, height: 844 });
  await page.route('**/events', (route) => route.fulfill({ status: 503 }));
  await page.goto(`${shop}/pos`);
  await page.fill('#amount', '3');
  await follow(page, '#ask');
  await payAsCustomer(await scanCode(page));
  await saleIn(page, 'PENDING');
  await context.clearCookies();
  await page.waitForURL(/\/dashboard\/sign-in/);
  await context.close();
});

/** What a sale is without a script is seen in a short run as well, at the counter above. */
for (const javaScriptEnabled of byLength({ short: [true], long: [true, false] })) {
  const how = `${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
  test(`kiosk mode: it sells, nothing leads out of it but a proof: ${how}`, async () => {
    const options = { width: 1024, height: 768, javaScriptEnabled };
    const { page, context, faults, shop } = await comeAs('OWNER', options);
    const counter = `${shop}/pos`;
    await page.goto(counter);
    await follow(page, '#change-kiosk');
    await page.waitForSelector('.dashboard.kiosk');
    await leadsNowhere(page, shop);
    for (const path of ['', '/dashboard', '/dashboard/security', '/dashboard/mails']) {
      await page.goto(path === '' ? `${shop}/checkouts` : new URL(path, shop).href);
      assert.equal(page.url(), counter, path);
    }
    await page.goBack();
    assert.equal(page.url(), counter, 'nothing is left behind the page');
    await page.fill('#amount', '5');
    await follow(page, '#ask');
    await leadsNowhere(page, shop);
    await follow(page, '#next');
    await follow(page, '#change-kiosk');
    assert.match(page.url(), /\/dashboard\/proof/);
    await page.goto(`${shop}/money`);
    assert.equal(page.url(), counter, 'to be asked is not to leave');
    await follow(page, '#change-kiosk');
    await page.fill('#password', PASSWORD);
    await follow(page, '#submit');
    await follow(page, '#change-kiosk');
    await page.waitForSelector('.rooms');
    assert.deepEqual(faults, []);
    await context.close();
  });
}

/** Every link and form of the page stays at the counter; the language is changed in its place. */
async function leadsNowhere(page: Page, shop: string): Promise<void> {
  const script = `[...document.querySelectorAll('a[href], form')].map((one) => one.href ?? one.action)`;
  const targets = await page.evaluate<string[]>(script);
  const paths = targets.map((target) => new URL(target).pathname);
  const allowed = ['/dashboard', '/dashboard/language'];
  const counter = `${new URL(shop).pathname}/pos`;
  const others = paths.filter((path) => !path.startsWith(counter) && !allowed.includes(path));
  assert.deepEqual(others, []);
}

if (runLength === 'long') {
  test('full screen lasts from sale to sale', async () => {
    const { page, context, faults, shop } = await comeAs('OWNER', { width: 1024, height: 768 });
    await page.goto(`${shop}/pos`);
    await follow(page, '#change-kiosk');
    const isFull = () => page.evaluate<boolean>('document.fullscreenElement !== null');
    await page.click('[data-fullscreen]');
    await page.waitForFunction('document.fullscreenElement !== null');
    await page.click('[data-key="7"]');
    await page.click('#ask');
    await saleIn(page, 'NEW');
    assert.equal(await isFull(), true);
    await payAsCustomer(await scanCode(page));
    await mine();
    await saleIn(page, 'COMPLETED');
    await hearTwoNotes(page);
    await page.click('#next');
    await page.waitForSelector('#counter');
    assert.equal(await isFull(), true);
    assert.equal(await page.locator('.keypad').isVisible(), true);
    await page.reload();
    await page.waitForSelector('#counter', { state: 'attached' });
    assert.deepEqual(faults, []);
    await context.close();
  });
}
