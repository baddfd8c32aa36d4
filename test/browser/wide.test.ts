// On screens of 2560 and 3840 pixels: lines are no longer than an eye follows, what is shown stands in
// the middle and takes a part of the screen, and letters grow with it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#db/db.ts';
import { openBrowserPage } from './browser.ts';
import { type DashboardSite, openDashboardSite } from './dashboard-site.ts';
import { fillShop } from './hostile-shop.ts';

let site: DashboardSite;
before(async () => {
  site = await openDashboardSite();
  await site.world.observe('LITECOIN');
});
after(() => site.close());

const LETTERS_MOST = 105;
const TEXTS = ['Fern and Folio', 'A good book about ferns', 'Linen paper', 'Postcard', 'Ink'];

/** The longest line of letters, and from where to where the page goes. */
const FACTS = `(() => {
  let longest = { letters: 0, text: '' };
  const range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    range.selectNodeContents(node);
    const widths = [...range.getClientRects()].map(({ width }) => width);
    const whole = widths.reduce((sum, width) => sum + width, 0);
    if (whole === 0) continue;
    const text = node.data.replaceAll(/\\s+/g, ' ');
    const letters = Math.round(text.length * Math.max(...widths) / whole);
    if (letters > longest.letters) longest = { letters, text: text.slice(0, 80) };
  }
  const body = document.querySelector('.dashboard') ?? document.querySelector('main');
  const { left, right } = body.getBoundingClientRect();
  return { longest, left, right };
})()`;

type Facts = {
  readonly longest: { readonly letters: number; readonly text: string };
  readonly left: number;
  readonly right: number;
};

async function look(page: Page, path: string, width: number): Promise<void> {
  await page.goto(site.origin + path);
  const { longest, left, right } = await page.evaluate<Facts>(FACTS);
  const where = `${path} at ${width}`;
  assert.ok(longest.letters <= LETTERS_MOST, `${where}: ${longest.letters} in "${longest.text}"`);
  assert.ok(Math.abs(left - (width - right)) <= 20, `${where}: from ${left} to ${right}`);
  if (path.includes('/shop/')) assert.ok((right - left) / width > 0.4, `${where} is a strip`);
}

test('rooms and the page of a payer are read on a screen of 2560 and of 3840 pixels', async () => {
  const { world, origin } = site;
  const owner = await world.comeAs('OWNER', 'olga');
  await world.app.db.single((tx) => tx.query(sql`update person set is_operator = true`));
  const { rooms } = await fillShop(world, TEXTS);
  const { today, checkouts, checkout, money, settings, pay } = rooms;
  const paths = [today, checkouts, checkout, money, settings, pay, '/dashboard/operator/networks'];
  for (const width of [2560, 3840]) {
    const { page, context } = await openBrowserPage({ width, height: (width * 9) / 16 });
    const cookies = owner.cookies().split('; ');
    await context.addCookies(
      cookies.map((one) => {
        const [name = '', value = ''] = one.split('=');
        return { name, value, url: origin };
      }),
    );
    for (const path of paths) await look(page, path ?? '', width);
    await context.close();
  }
});
