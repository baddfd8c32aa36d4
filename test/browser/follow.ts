// A press that leads to another document, as a person waits for it: what the server does for it is
// done, and the old document is not looked at any more.
import type { Page } from 'playwright-core';
import { waitUntil } from '#test/support/shop.ts';

/** Clicks a link or the button of a form; comes back when the answer stands in place of the page. */
export async function follow(page: Page, target: string): Promise<void> {
  const arrived = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
  await Promise.all([arrived, page.locator(target).click()]);
  // It has begun to come: what is counted on it has to be there.
  await page.waitForLoadState('domcontentloaded');
}

/**
 * Loads a page without JavaScript again until it shows the state. Such a page loads itself again as
 * well: the browser ends the one of two reloads that meet, or forgets the element that was just found,
 * so an attempt that fails counts as not there yet.
 */
export async function reloadUntil(page: Page, state: string): Promise<void> {
  await waitUntil(`the page in state ${state}`, async () => {
    try {
      await page.reload();
      return (await page.locator('#main').getAttribute('data-state')) === state;
    } catch {
      return false;
    }
  });
}
