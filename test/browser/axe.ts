// axe over an open page. It is put into a document once, however often it looks, and says only what
// is wrong: with a report of all that is right, brought out through a page of its own, a look costs
// three times as much.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const ofPlaywright = createRequire(import.meta.url).resolve('@axe-core/playwright');
// Without its comments and long names it is read in two thirds of the time.
const source = readFileSync(createRequire(ofPlaywright).resolve('axe-core/axe.min.js'), 'utf8');

type Options = {
  /** Only these rules. */
  readonly rules?: readonly string[];
};

/** The rule and the element of each fault. What lies in frames is not looked at. */
export async function findAxeFaults(page: Page, { rules }: Options = {}): Promise<string[]> {
  const isThere = await page.evaluate<boolean>(`typeof window.axe === 'object'`);
  // The last value would be sent back.
  if (!isThere) await page.evaluate(`${source}; 0`);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
  );
}
