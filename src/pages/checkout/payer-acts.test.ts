// What a payer can do himself in each state, by the table of docs/operate/payment-page.md; and that
// a page which sends him to the shop says how to reach it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SAMPLE_STATES } from '#pages/demo/sample-states.ts';
import type { Notice } from './decide-notices.ts';
import { decideWords } from './decide-words.ts';
import { renderMain } from './render-checkout.ts';

/** Words of the table by what stands for them on the page. */
const ACTS: readonly (readonly [act: string, pattern: RegExp])[] = [
  ['answer the shop', /id="go"/],
  ['choose a way', /class="choice" name="method"/],
  ['pay', /id="(?:wallet|amount)"/],
  ['ask for a new price', /id="new-price"/],
  ['find a payment', /id="find-button"/],
  ['be told by e-mail', /id="mail-button"/],
  ['change the way', /id="change"/],
  ['cancel', /id="cancel"/],
  ['reach the shop', /id="contact"/],
  ['read the receipt', /id="receipt"/],
  ['choose another way', /id="again"/],
  ['return to the shop', /id="(?:return|shop|back)"/],
];

/** They tell the payer to ask the shop. */
const ASKING: readonly Notice['kind'][] = ['over', 'multiple', 'wrong-asset', 'wrong-network'];

const shown = SAMPLE_STATES.map(({ name, kind, about, make }) => {
  const page = make();
  return { name, kind, about, page, markup: renderMain(page).markup };
});

test('a page that sends the payer to the shop says once how to reach it', () => {
  for (const { name, page, markup } of shown) {
    const { notices, sentences } = decideWords(page);
    const asks = notices.some(({ kind }) => ASKING.includes(kind)) || sentences.has('sent-before');
    const links = markup.split('id="contact"').length - 1;
    assert.ok(links <= 1, name);
    if (asks) assert.equal(links, 1, name);
  }
});

test('what a payer can do in each state is what the table of the operators says', () => {
  const path = join(import.meta.dirname, '../../../docs/operate/payment-page.md');
  const rows = shown.map(({ about, kind, markup }) => {
    const acts = ACTS.filter(([, pattern]) => pattern.test(markup)).map(([act]) => act);
    return `| ${kind} | ${about} | ${acts.join(', ')} |`;
  });
  const table = readFileSync(path, 'utf8');
  for (const row of rows) assert.ok(table.includes(row), `the table lacks:\n${rows.join('\n')}`);
});
