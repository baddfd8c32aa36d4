// axe over every state, receipt, invoice and refund: as narrow as phones are and on a desktop, in
// light and dark; each state in another language.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { LANGUAGES } from '#catalog/language.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';
import { unfold } from './layout-facts.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

for (const width of [320, 1280]) {
  test(`axe finds nothing: ${width} pixels, in light and dark`, async () => {
    const { page, context, faults } = await openBrowserPage({ width });
    const found: string[] = [];
    for (const [index, state] of site.states.entries()) {
      const { languageCode } = LANGUAGES[index % LANGUAGES.length]!;
      await page.goto(site.urlOf(state, languageCode), { waitUntil: 'domcontentloaded' });
      await unfold(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // There are no frames: the results need not travel through a page of their own.
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        const faulty = violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
        found.push(...faulty.map((fault) => `${state} ${colorScheme}: ${fault}`));
      }
    }
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test('axe is asked about a page that it can find something on', async () => {
  const { page, context } = await openBrowserPage();
  await page.goto(site.urlOf('pay'));
  await page.evaluate(`document.querySelector('svg.qr').removeAttribute('aria-label');
    document.querySelector('.hint').style.color = '#ccc'; document.documentElement.lang = ''`);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const ids = violations.map(({ id }) => id);
  assert.ok(ids.includes('color-contrast') && ids.includes('html-has-lang'), ids.join(' '));
  await context.close();
});
