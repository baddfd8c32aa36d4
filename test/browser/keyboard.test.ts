// The dashboard by keyboard: `/` searches, `?` says which keys there are, and nobody's typing is
// taken for one of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { type DashboardSite, openDashboardSite } from './dashboard-site.ts';
import { findLayoutFaults } from './layout-facts.ts';

let site: DashboardSite;
let cookies: string;
before(async () => {
  site = await openDashboardSite();
  cookies = (await site.world.comeAs('OWNER', 'olga')).cookies();
});
after(() => site.close());

async function comeIn(width: number, javaScriptEnabled = true) {
  const opened = await openBrowserPage({ width, height: 800, javaScriptEnabled });
  const given = cookies.split('; ').map((one) => {
    const [name = '', value = ''] = one.split(/=(.*)/s);
    return { name, value, url: site.origin };
  });
  await opened.context.addCookies(given);
  const go = (room: string) => opened.page.goto(`${site.origin}${site.world.shop}/${room}`);
  return { ...opened, go };
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""');

test('a slash searches where there is a search, and leads to that of the checkouts elsewhere', async () => {
  const { page, context, faults, go } = await comeIn(1440);
  await go('customers');
  await page.keyboard.press('/');
  assert.equal(await focused(page), 'find');
  await page.keyboard.type('a/b?c');
  assert.equal(await page.inputValue('#find'), 'a/b?c', 'what is typed is typed');
  await go('money');
  await page.keyboard.press('/');
  await page.waitForURL(/\/checkouts#find$/);
  await page.waitForFunction(`document.activeElement?.id === 'find'`);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a question mark says which keys there are, and they are switched off for good', async () => {
  for (const width of [390, 1440]) {
    const { page, context, faults, go } = await comeIn(width);
    await go('today');
    await page.keyboard.press('?');
    await page.locator('#keyboard').waitFor();
    assert.match((await page.locator('#keyboard').textContent()) ?? '', /\/Search\?These keys/);
    assert.deepEqual(await findAxeFaults(page), []);
    await page.uncheck('#keyboard-on');
    await page.keyboard.press('Escape');
    await page.locator('#keyboard').waitFor({ state: 'hidden' });
    assert.deepEqual(await findLayoutFaults(page), []);
    await go('checkouts');
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    assert.notEqual(await focused(page), 'find');
    assert.equal(await page.locator('#keyboard').isVisible(), false);
    await page.click('#keyboard-open');
    assert.equal(await page.isChecked('#keyboard-on'), false, 'kept in this browser');
    await page.check('#keyboard-on');
    await page.click('#keyboard-close');
    await page.keyboard.press('/');
    assert.equal(await focused(page), 'find');
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test('without JavaScript nothing promises a key', async () => {
  const { page, context, go } = await comeIn(1440, false);
  await go('today');
  assert.equal(await page.locator('#keyboard-open').isVisible(), false);
  await context.close();
});
