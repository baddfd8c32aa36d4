// Every state in every language: on the smallest phone, on a desktop, at 200 % and with letters
// twice as large. Light and dark differ in colours alone (page-assets.test.ts).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '#catalog/language.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';
import { findLayoutFaults, leaveUndrawn, unfold } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

/** 640 pixels are a desktop of 1280 at 200 %. */
const WIDTHS = [320, 640, 1280];
const WIDEST = 1280;

function setLetters(page: Page, size: string): Promise<unknown> {
  return page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
}

const GROUPED = [
  ['en', 'pay'],
  ['ar', 'pay'],
  ['ar', 'verify-address-ours'],
] as const;

test('an address is in groups with a gap after each, also on a page from right to left', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 320, locale: 'ar' });
  for (const [languageCode, state] of GROUPED) {
    await page.goto(site.urlOf(state, languageCode));
    await unfold(page);
    const gaps = await page.evaluate<number[]>(`(() => {
      const boxes = [...document.querySelector('.fours').querySelectorAll('b, span')]
        .map((group) => group.getBoundingClientRect());
      return boxes.slice(1)
        .map(({ left, top }, index) => ({ left, top, before: boxes[index] }))
        .filter(({ top, before }) => Math.abs(top - before.top) < 2)
        .map(({ left, before }) => left - before.right);
    })()`);
    assert.ok(gaps.length > 3, `${gaps.length} groups`);
    assert.ok(
      Math.min(...gaps) > 2,
      `${languageCode} ${state}: ${gaps.map((gap) => gap.toFixed(1))}`,
    );
  }
  assert.deepEqual(faults, []);
  await context.close();
});

/** A short run looks at each state in one of the twenty languages, all of them in turn. */
const EVERY = byLength({ short: LANGUAGES.length, long: 1 });

for (const [place, { languageCode, name }] of LANGUAGES.entries()) {
  const states = (all: readonly string[]) =>
    all.filter((_, index) => (index + place) % EVERY === 0);
  test(`${name}: nothing is wider than its window, cut off, covered, or too small to touch`, async () => {
    const { page, context, faults } = await openBrowserPage({ locale: languageCode });
    await leaveUndrawn(page);
    const found: string[] = [];
    for (const [index, state] of states(site.states).entries()) {
      await page.goto(site.urlOf(state, languageCode), { waitUntil: 'domcontentloaded' });
      await unfold(page);
      const look = async (view: string) => {
        const wrong = await findLayoutFaults(page);
        found.push(...wrong.map((fault) => `${state} ${languageCode} ${view}: ${fault}`));
      };
      // There and back again: the width that a state ends with is that of the next.
      for (const width of index % 2 === 0 ? WIDTHS : WIDTHS.toReversed()) {
        await page.setViewportSize({ width, height: 800 });
        await look(String(width));
        if (width !== WIDEST) continue;
        await setLetters(page, '200%');
        await look('large letters');
        await setLetters(page, '');
      }
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
