// A real Chromium for tests. It closes itself with the test file, whatever happened in it.
import { after } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium, PATIENCE_MS } from './chromium.ts';

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

export type BrowserOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly locale?: string;
  readonly bypassCSP?: boolean;
  readonly timezoneId?: string;
  readonly hasTouch?: boolean;
  readonly ignoreHTTPSErrors?: boolean;
};

/** A page of its own, without cookies. What the page logs as an error is kept in `faults`. */
export async function openBrowserPage(
  options: BrowserOptions = {},
): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
  const { width = 360, height = 740, ...rest } = options;
  browser ??= launchChromium();
  const context = await (await browser).newContext({
    viewport: { width, height },
    locale: 'en-US',
    ...rest,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  return { page, context, faults };
}
