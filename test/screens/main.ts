// npm run screens: pictures of every state, and a sheet of them all, to be looked at by people.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { launchChromium } from '#test/browser/chromium.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { contactSheet } from './contact-sheet.ts';
import { HELP, type Picture, readWishes, type Wishes } from './wishes.ts';

const progressMs = 5_000;
const startedMs = performance.now();

async function main(): Promise<void> {
  const site = await openSampleSite();
  try {
    const wishes = readWishes(process.argv.slice(2), site.states);
    if (wishes === undefined) console.log(HELP);
    else await makeSheet(site, wishes);
  } finally {
    await site.close();
  }
}

async function makeSheet(site: SampleSite, wishes: Wishes): Promise<void> {
  const { directory, pictures } = wishes;
  if (wishes.isAll) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const browser = await launchChromium();
  try {
    await takePictures(site, wishes, await browser.newPage());
  } finally {
    await browser.close();
  }
  const sheet = join(directory, 'index.html');
  writeFileSync(sheet, contactSheet(pictures));
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (wishes.isJson) console.log(JSON.stringify({ sheet, seconds, pictures }));
  else console.log(`${pictures.length} pictures in ${seconds} s: ${sheet}`);
}

/** Ordered so that a page is loaded once and then looked at in every size and colour. */
async function takePictures(site: SampleSite, wishes: Wishes, page: Page): Promise<void> {
  const { directory, pictures } = wishes;
  let shown = '';
  let toldMs = startedMs;
  for (const [index, picture] of pictures.entries()) {
    const { state, language, width, theme, file } = picture;
    const url = site.urlOf(state, language);
    if (url !== shown) await page.goto(url);
    shown = url;
    await show(page, picture);
    await page.screenshot({
      path: join(directory, file),
      type: 'jpeg',
      quality: 80,
      fullPage: true,
      animations: 'disabled',
    });
    if (performance.now() - toldMs < progressMs) continue;
    toldMs = performance.now();
    process.stderr.write(`${index + 1}/${pictures.length}: ${state} ${width} ${theme}\n`);
  }
}

async function show(page: Page, { width, theme }: Picture): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 640 });
  await page.emulateMedia({ colorScheme: theme });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
