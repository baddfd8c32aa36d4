// The layout with the fonts of other machines: wide letters, narrow letters, and those of most Linux
// desktops. layout.test.ts looks at more views with the fonts of this machine.
// In a long run alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { launchChromium } from './chromium.ts';
import { FONT_SETS, fontEnvironment } from './font-sets.ts';
import { findLayoutFaults, leaveUndrawn, unfold } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const widths = new Map<string, number>();

/** Each second state with one of the sets in a short run. */
const EVERY = byLength({ short: 2 * FONT_SETS.length, long: 1 });

for (const [place, set] of FONT_SETS.entries()) {
  test(`${set.name}: every state fits a phone in every language, and can be touched`, async () => {
    const browser = await launchChromium([], fontEnvironment(set));
    try {
      const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
      await leaveUndrawn(page);
      const found: string[] = [];
      for (const [index, state] of site.states.entries()) {
        if ((index + place) % EVERY !== 0) continue;
        // Two languages for each state (one in a short run), all of them in turn.
        for (const turn of byLength({ short: [0], long: [0, 3] })) {
          const { languageCode } = LANGUAGES[(index + turn) % LANGUAGES.length]!;
          await page.goto(site.urlOf(state, languageCode), { waitUntil: 'domcontentloaded' });
          await unfold(page);
          const faults = await findLayoutFaults(page);
          found.push(...faults.map((fault) => `${state} ${languageCode}: ${fault}`));
        }
      }
      assert.deepEqual(found, []);
      // The shortest links there are.
      for (const [language, name] of [
        ['pt', 'Fatura'],
        ['fr', 'Re\u00e7u'],
      ] as const) {
        await page.goto(site.urlOf('paid', language));
        const box = await page.getByRole('link', { name, exact: true }).boundingBox();
        assert.ok((box?.width ?? 0) >= 44 && (box?.height ?? 0) >= 44, `${name}: ${box?.width}`);
      }
      const width = await page.evaluate<number>(`(() => {
        const text = document.createElement('span');
        text.textContent = 'mmmmmmmmmmiiiiiiiiii'.repeat(5);
        text.style.cssText = 'position: absolute; white-space: nowrap';
        document.body.append(text);
        return text.getBoundingClientRect().width;
      })()`);
      widths.set(set.name, width);
    } finally {
      await browser.close();
    }
  });
}

test('the three sets are different fonts, not one under several names', () => {
  assert.equal(widths.size, 3);
  assert.equal(new Set(widths.values()).size, 3, JSON.stringify([...widths]));
});
