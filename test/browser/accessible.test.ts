// axe over every state, receipt, invoice and refund: as narrow as phones are and on a desktop, in
// light and dark; each state in another language.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { unfold } from './layout-facts.ts';
import { eachView } from './views.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

/** A short run looks at each second state, in one of its four views. */
const isWhole = byLength({ short: false, long: true });

test('axe finds nothing: 320 and 1280 pixels, in light and dark', async () => {
  const { page, context, faults } = await openBrowserPage();
  const found: string[] = [];
  for (const [index, state] of site.states.entries()) {
    if (!isWhole && index % 2 === 1) continue;
    // All languages in turn, also of each second state.
    const place = index + Math.floor(index / LANGUAGES.length);
    const { languageCode } = LANGUAGES[place % LANGUAGES.length]!;
    await page.goto(site.urlOf(state, languageCode), { waitUntil: 'domcontentloaded' });
    await unfold(page);
    const look = async (view: string) => {
      const wrong = await findAxeFaults(page);
      found.push(...wrong.map((fault) => `${state} ${view}: ${fault}`));
    };
    const turn = Math.floor(index / 2);
    await eachView(page, look, isWhole ? undefined : turn);
  }
  assert.deepEqual(found, []);
  assert.deepEqual(faults, []);
  await context.close();
});

test('axe is asked about a page that it can find something on', async () => {
  const { page, context } = await openBrowserPage();
  await page.goto(site.urlOf('pay'));
  assert.deepEqual(await findAxeFaults(page), []);
  await page.evaluate(`document.querySelector('svg.qr').removeAttribute('aria-label');
    document.querySelector('.hint').style.color = '#ccc'; document.documentElement.lang = ''`);
  const found = await findAxeFaults(page);
  const ids = found.map((fault) => fault.split(' ')[0]);
  assert.ok(ids.includes('color-contrast') && ids.includes('html-has-lang'), ids.join(' '));
  assert.deepEqual(await findAxeFaults(page, { rules: ['target-size'] }), []);
  await context.close();
});
