// A page on which everything is heard that a text could do if it ran.
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowserPage } from './browser.ts';

/** Whatever a text does when it runs is counted. */
const SENTINEL = `{
  window.shots = [];
  window.fired = (what) => { shots.push(String(what)); return 'fired'; };
  for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) window[name] = () => fired(name);
  addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => fired('policy ' + violatedDirective));
}`;

export type Watched = { page: Page; context: BrowserContext; heard: string[] };

export async function openWatchedPage(origin: string, bypassCSP: boolean): Promise<Watched> {
  const { page, context, faults: heard } = await openBrowserPage({ bypassCSP });
  await page.addInitScript(SENTINEL);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) heard.push(`request ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.status()} ${response.url()}`);
  });
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(`${origin}/`)) heard.push(`navigation ${frame.url()}`);
  });
  page.on('popup', () => heard.push('popup'));
  return { page, context, heard };
}
