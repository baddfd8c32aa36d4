// Every state in every language: on the smallest phone, on a desktop, at 200 % and with letters
// twice as large. Light and dark differ in colours alone (page-assets.test.ts).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';
import { findLayoutFaults, unfold } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

/** 640 pixels are a desktop of 1280 at 200 %. */
const WIDTHS = [320, 640, 1280];

for (const { languageCode, name } of LANGUAGES) {
  test(`${name}: nothing is wider than its window, cut off, covered, or too small to touch`, async () => {
    const { page, context, faults } = await openBrowserPage({ locale: languageCode });
    const found: string[] = [];
    for (const state of site.states) {
      await page.goto(site.urlOf(state, languageCode), { waitUntil: 'domcontentloaded' });
      await unfold(page);
      const look = async (view: string) => {
        const wrong = await findLayoutFaults(page);
        found.push(...wrong.map((fault) => `${state} ${languageCode} ${view}: ${fault}`));
      };
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await look(String(width));
      }
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      await look('large letters');
    }
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

const BROKEN: readonly (readonly [fault: RegExp, breakIt: string])[] = [
  [/^page /, `document.querySelector('.card').style.width = '60rem'`],
  [/^outside/, `document.querySelector('h1').style.marginInlineStart = '-6rem'`],
  [
    /^clipped/,
    `Object.assign(document.querySelector('#address').style, { height: '1rem', overflow: 'hidden' })`,
  ],
  [
    /^broken: Bitcoin/,
    `Object.assign(document.querySelector('h1').style, { width: '2rem', overflowWrap: 'anywhere' });
    document.querySelector('h1').textContent = 'Bitcoin'`,
  ],
  [/^overlap/, `document.querySelector('#address').style.marginTop = '-1.5rem'`],
  [/^small/, `document.querySelector('#amount-copy').style.minHeight = '40px'`],
];

test('each of these is found where it is', async () => {
  const { page, context } = await openBrowserPage({ width: 320 });
  for (const [fault, breakIt] of BROKEN) {
    await page.goto(site.urlOf('pay'));
    assert.deepEqual(await findLayoutFaults(page), []);
    await page.evaluate(breakIt);
    assert.ok(
      (await findLayoutFaults(page)).some((found) => fault.test(found)),
      breakIt,
    );
  }
  await context.close();
});
