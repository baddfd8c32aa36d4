// What a screen reader says of each state, in English and Arabic, as it was written down
// (spoken.golden.json; UPDATE_GOLDEN=1 writes it anew); and that nobody needs a script, colours or
// small letters, also where a page runs from right to left.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { SAMPLE_STATES } from '#pages/demo/sample-states.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';
import { findLayoutFaults } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const isUpdate = process.env.UPDATE_GOLDEN === '1';
const GOLDEN = join(import.meta.dirname, 'spoken.golden.json');
/** Those that stand for the others. */
const STATES = ['choose', 'pay', 'seen', 'partial', 'paid', 'expired', 'cancelled'];
const EVERY = SAMPLE_STATES.map(({ name }) => name);
/** All of them in a long run, which `.ci/run` plays after `npm test`. */
const PLAYED = byLength({ short: STATES, long: EVERY });

/** Without a script nothing moves; the time that is left is that of the moment of the test. */
const still = (spoken: string) => spoken.replaceAll(/\d+:\d\d(?!\d)/g, '0:00');

test('a screen reader says of every state what is written down, of the main ones in Arabic too', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false });
  const said: Record<string, string[]> = {};
  for (const language of ['en', 'ar'] as const) {
    const states = language === 'en' ? (isUpdate ? EVERY : PLAYED) : STATES;
    for (const state of states) {
      await page.goto(site.urlOf(state, language), { waitUntil: 'domcontentloaded' });
      const spoken = await page.locator('body').ariaSnapshot();
      said[`${state} ${language}`] = still(spoken).split('\n');
    }
  }
  await context.close();
  if (isUpdate) await writeFile(GOLDEN, `${JSON.stringify(said, null, 2)}\n`);
  const golden = JSON.parse(await readFile(GOLDEN, 'utf8')) as typeof said;
  for (const [state, spoken] of Object.entries(said))
    assert.deepEqual(spoken, golden[state], state);
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
async function openSafest() {
  const opened = await openBrowserPage({ javaScriptEnabled: false, width: 390, height: 844 });
  await opened.page.route('**/*', (route) => {
    const isKept = !/\.(?:svg|woff2?|js)(?:\?|$)/.test(route.request().url());
    return isKept ? route.continue() : route.abort();
  });
  return opened;
}

test('every state is whole without them: a heading, nothing wider than a phone, acts that are forms or links', async () => {
  const { page, context } = await openSafest();
  for (const { name, kind } of SAMPLE_STATES.filter(({ name }) => PLAYED.includes(name))) {
    await page.goto(site.urlOf(name), { waitUntil: 'domcontentloaded' });
    assert.equal(await page.locator('#main').getAttribute('data-state'), kind, name);
    assert.ok((await page.innerText('h1')).length > 3, name);
    assert.deepEqual(await findLayoutFaults(page), [], name);
    // A button without a form needs a script: none may be seen where there is none.
    const dead = await page
      .locator('button:not([form]):visible')
      .evaluateAll((buttons: unknown[]) =>
        (buttons as { closest(selector: string): unknown; id: string }[])
          .filter((button) => button.closest('form') === null)
          .map(({ id }) => id),
      );
    assert.deepEqual(dead, [], `${name}: nothing can be pressed in vain`);
  }
  await context.close();
});

test('without a script, SVG and fonts of the web a page says how to pay, and all of it', async () => {
  const { page, context } = await openSafest();
  for (const language of ['en', 'ar', 'ja'] as const) {
    await page.goto(site.urlOf('pay', language), { waitUntil: 'domcontentloaded' });
    assert.match(await page.innerText('#amount'), /\d\.\d+/);
    assert.match((await page.innerText('#address')).replaceAll(/\s/g, ''), /^\S{20,}/);
    await page.goto(site.urlOf('choose', language), { waitUntil: 'domcontentloaded' });
    assert.ok((await page.locator('form button').count()) > 3, 'each way is a button of a form');
  }
  await context.close();
});

const MAIN = ['choose', 'pay', 'paid'];

test('with the colours of the reader and letters twice as large nothing is lost', async () => {
  for (const language of ['en', 'ar', 'hi'] as const) {
    const { page, context } = await openBrowserPage({ width: 640, height: 800 });
    await page.emulateMedia({ forcedColors: 'active' });
    const states = language === 'en' ? PLAYED : MAIN;
    for (const state of states) {
      await page.goto(site.urlOf(state, language), { waitUntil: 'domcontentloaded' });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      assert.deepEqual(await findLayoutFaults(page), [], `${state} ${language}`);
      // A quiet one is underlined as a link is; every other one has an edge.
      const plain = await page
        .locator('button:not(.quiet):visible, a.button:visible')
        .evaluateAll((elements: unknown[]) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(one: unknown): { borderTopStyle: string };
          };
          return (elements as { id: string }[])
            .filter((one) => getComputedStyle(one).borderTopStyle === 'none')
            .map(({ id }) => id);
        });
      assert.deepEqual(plain, [], `${state} ${language}: a button has an edge`);
    }
    await context.close();
  }
});
