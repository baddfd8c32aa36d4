// The customer at the counter, with a telephone of his own.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';

/** What a camera reads from the screen. */
export async function scanCode(page: Page): Promise<string> {
  const text = readSvgCode(await page.locator('#sale svg.qr').evaluate((one) => one.outerHTML));
  assert(text !== undefined, 'no camera can read the code');
  return text;
}

/** On the telephone of the customer, up to the payment. */
export async function payAsCustomer(url: string): Promise<void> {
  const { page, context, faults } = await openBrowserPage({ width: 390, height: 844 });
  await page.goto(url);
  await follow(page, 'button[value^="LITECOIN "]');
  await follow(page, '#sandbox-exact');
  await page.waitForSelector('#main[data-state="seen"]');
  assert.deepEqual(faults, []);
  await context.close();
}
