// Choosing a way to pay in a real Chromium: what this device can do comes first, what was used here
// last before it, and a long list can be searched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const names = (page: Page) =>
  page.locator('[data-ways] > li:visible .choice-name').allTextContents();
const first = async (page: Page) => (await names(page))[0];
const tagsOf = (page: Page, name: RegExp) =>
  page.locator('[data-ways] > li', { hasText: name }).locator('.tag:visible').allTextContents();

test('every row says how much it is; coins stand as they are named most', async () => {
  const { page, context } = await openBrowserPage({ width: 1280, height: 800 });
  await page.goto(site.urlOf('choose-recommended'));
  assert.deepEqual((await names(page)).slice(0, 3), ['USDC', 'Bitcoin', 'Lightning']);
  assert.deepEqual(await tagsOf(page, /USDC/), ['Recommended']);
  const rows = await page.locator('[data-ways] > li').count();
  assert.equal(await page.locator('[data-ways] .choice-amount:visible').count(), rows);
  await context.close();
});

test('on a phone Lightning comes first; on a desktop it does not', async () => {
  const { page, context } = await openBrowserPage({ width: 390, height: 844, hasTouch: true });
  await page.goto(site.urlOf('choose'));
  assert.equal(await first(page), 'Lightning');
  assert.deepEqual(await tagsOf(page, /Lightning/), ['Fits this device']);
  await context.close();
  const desktop = await openBrowserPage({ width: 1280, height: 800 });
  await desktop.page.goto(site.urlOf('choose'));
  assert.equal(await first(desktop.page), 'Bitcoin');
  await desktop.context.close();
});

test('the chain of a wallet in this browser comes first, among coins and among networks', async () => {
  const { page, context } = await openBrowserPage({ width: 1280, height: 800 });
  await page.addInitScript(`window.ethereum = { request: async ({ method }) => {
    if (method !== 'eth_chainId') throw new Error('asked for ' + method);
    return '0x2105';
  } }`);
  await page.goto(site.urlOf('choose'));
  await page.waitForFunction(
    `document.querySelector('[data-ways] .choice-name').textContent === 'USDC'`,
  );
  await page.goto(site.urlOf('choose-group'));
  await page.waitForFunction(
    `document.querySelector('[data-ways] .choice-name').textContent === 'Base'`,
  );
  await context.close();
});

test('what was chosen on this device is there first the next time, coin and network', async () => {
  const { page, context } = await openBrowserPage({ width: 1280, height: 800 });
  await page.goto(site.urlOf('choose-group'));
  await page.getByRole('button', { name: /Ethereum/ }).click();
  await page.goto(site.urlOf('choose'));
  assert.equal(await first(page), 'USDC');
  assert.deepEqual(await tagsOf(page, /USDC/), ['Used last time']);
  await page.goto(site.urlOf('choose-group'));
  assert.equal(await first(page), 'Ethereum');
  await context.close();
});

test('more than six rows can be searched, by coin, code and network', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 390, height: 844 });
  await page.goto(site.urlOf('choose'));
  const found = async (words: string) => {
    await page.locator('#search').fill(words);
    return names(page);
  };
  assert.deepEqual(await found('lite'), ['Litecoin']);
  assert.deepEqual(await found('base usd'), ['USDC']);
  assert.deepEqual(await found('nonsense'), []);
  assert.equal(await page.locator('[data-nothing]').textContent(), 'Nothing fits that.');
  assert.equal((await found('')).length, 8);
  await page.goto(site.urlOf('choose-group'));
  assert.equal(await page.locator('#search').count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test('without JavaScript every way is there, in the order of the server, and no search', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false });
  await page.goto(site.urlOf('choose-recommended'));
  assert.equal((await names(page)).length, 9);
  assert.equal(await first(page), 'USDC');
  assert.equal(await page.locator('#search').isVisible(), false);
  await context.close();
});
