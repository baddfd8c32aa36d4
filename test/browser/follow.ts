// A press that leads to another document, as a person waits for it: what the server does for it is
// done, and the old document is not looked at any more.
import type { Page } from 'playwright-core';

/** Clicks a link or the button of a form; comes back when the answer stands in place of the page. */
export async function follow(page: Page, target: string): Promise<void> {
  const arrived = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
  await Promise.all([arrived, page.locator(target).click()]);
}
