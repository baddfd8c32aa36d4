// What a screen reader says of each state, in English and Arabic, as it was written down
// (spoken.golden.json; UPDATE_GOLDEN=1 writes it anew); and that nobody needs a script, colours or
// small letters, also where a page runs from right to left.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';
import { findLayoutFaults } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const GOLDEN = join(import.meta.dirname, 'spoken.golden.json');
const STATES = ['choose', 'pay', 'seen', 'partial', 'paid', 'expired', 'cancelled'];

/** Without a script nothing moves; the time that is left is that of the moment of the test. */
const still = (spoken: string) => spoken.replaceAll(/\d+:\d\d(?!\d)/g, '0:00');

test('a screen reader says of each state what is written down, in English and Arabic', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false });
  const said: Record<string, string[]> = {};
  for (const language of ['en', 'ar'] as const) {
    for (const state of STATES) {
      await page.goto(site.urlOf(state, language), { waitUntil: 'domcontentloaded' });
      const spoken = await page.locator('body').ariaSnapshot();
      said[`${state} ${language}`] = still(spoken).split('\n');
    }
  }
  await context.close();
  if (process.env.UPDATE_GOLDEN === '1') {
    await writeFile(GOLDEN, `${JSON.stringify(said, null, 2)}\n`);
  }
  assert.deepEqual(said, JSON.parse(await readFile(GOLDEN, 'utf8')));
});

/** Where its first and its last sign stand on the screen. */
const ENDS = `(selector) => {
  const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  const boxes = [];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (let at = 0; at < text.data.length; at += 1) {
      if (!/[0-9a-z]/i.test(text.data[at])) continue;
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      boxes.push(range.getBoundingClientRect());
    }
  }
  const [first, second] = boxes;
  return { first: first.left, second: second.left, line: first.top === second.top };
}`;

for (const language of ['ar', 'he'] as const) {
  test(`${language}: the page turns around, amounts and addresses do not`, async () => {
    const { page, context, faults } = await openBrowserPage({ width: 390, height: 844 });
    for (const state of ['pay', 'partial']) {
      await page.goto(site.urlOf(state, language), { waitUntil: 'domcontentloaded' });
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
      const title = await page.locator('h1').boundingBox();
      assert.ok(title !== null && title.x + title.width > 300, 'a heading begins on the right');
      for (const selector of ['#amount', '#address']) {
        const ends = await page.evaluate<{ first: number; second: number }>(
          `(${ENDS})(${JSON.stringify(selector)})`,
        );
        assert.ok(ends.first < ends.second, `${state} ${selector}: ${JSON.stringify(ends)}`);
      }
    }
    await page.goto(site.urlOf('partial', language), { waitUntil: 'domcontentloaded' });
    assert.match(await page.innerText('main'), /\u2066[\d.,]+\u00a0LTC\u2069/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

/** As the safest level of Tor Browser: no script, no picture that is drawn by vectors, no font. */
test('without a script, SVG and fonts of the web a page says how to pay, and all of it', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false });
  await page.route('**/*', (route) => {
    const isKept = !/\.(?:svg|woff2?|js)(?:\?|$)/.test(route.request().url());
    return isKept ? route.continue() : route.abort();
  });
  for (const language of ['en', 'ar', 'ja'] as const) {
    await page.goto(site.urlOf('pay', language), { waitUntil: 'domcontentloaded' });
    assert.match(await page.innerText('#amount'), /\d\.\d+/);
    assert.match((await page.innerText('#address')).replaceAll(/\s/g, ''), /^\S{20,}/);
    await page.goto(site.urlOf('choose', language), { waitUntil: 'domcontentloaded' });
    assert.ok((await page.locator('form button').count()) > 3, 'each way is a button of a form');
  }
  await context.close();
});

test('with the colours of the reader and letters twice as large nothing is lost', async () => {
  for (const language of ['en', 'ar', 'hi'] as const) {
    const { page, context } = await openBrowserPage({ width: 640, height: 800 });
    await page.emulateMedia({ forcedColors: 'active' });
    for (const state of ['choose', 'pay', 'paid']) {
      await page.goto(site.urlOf(state, language), { waitUntil: 'domcontentloaded' });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      assert.deepEqual(await findLayoutFaults(page), [], `${state} ${language}`);
      const edge = await page
        .locator('button:visible, a.button:visible')
        .first()
        .evaluate((element: unknown) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(one: unknown): { borderTopStyle: string };
          };
          return getComputedStyle(element).borderTopStyle;
        });
      assert.notEqual(edge, 'none', `${state} ${language}: a button has an edge`);
    }
    await context.close();
  }
});
