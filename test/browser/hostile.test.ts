// H1 in a real browser: 2,000 texts (400 of them in a short run) that try to be script, each in every field that a merchant, a
// buyer or a payer writes. None runs, none adds or takes an element or an attribute, with the policy
// of the page and without any.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Refusal } from '#base/refusal.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { parsePageSettings } from '#merchant/page-settings.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { returnAddress } from '#pages/checkout/shop-links.ts';
import { trustedMarkup } from '#pages/html.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { waitUntil } from '#test/support/shop.ts';
import {
  harmlessText,
  hostileText,
  joinPages,
  pagesWith,
  shapeOf,
  type Text,
} from './hostile-pages.ts';
import { hostileTexts } from './hostile-texts.ts';
import { openWatchedPage } from './watched-page.ts';

const TEXTS = hostileTexts(byLength({ short: 200, long: 2_000 }));
const PER_DOCUMENT = 50;
let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

/**
 * The elements of each sample with the names of their attributes, in order, as a short digest: all
 * of them would be a hundred megabytes. `isSame`: parsed once more, as the script does, they stay.
 */
const OUTLINES = `(() => {
  // The script of the page shows and hides what it can do.
  const names = ({ attributes }) =>
    [...attributes].map(({ name }) => name).filter((name) => name !== 'hidden').join();
  const outline = (root) => [...root.querySelectorAll('*')]
    .map((one) => one.localName + '[' + names(one) + ']').join(' ');
  const digest = (text) => {
    let hash = 2166136261;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
    return text.length + ':' + hash;
  };
  return [...document.querySelectorAll('[data-sample]')].map((sample) => {
    const again = document.createElement('main');
    again.innerHTML = sample.innerHTML;
    const first = outline(sample);
    return { digest: digest(first), isSame: outline(again) === first };
  });
})()`;

/** What could still run when somebody presses it. */
const ADDRESSES = `[...document.querySelectorAll('[href], [src], [action], [formaction]')]
  .map((one) =>
    one.href?.baseVal === undefined
      ? ((one.href ?? one.src ?? one.action)?.toString() ?? '')
      : new URL(one.href.baseVal, document.baseURI).href)
  .map((address) => address.split(':')[0])`;

const SCHEMES = ['http', 'https', 'mailto', 'bitcoin', 'litecoin', 'lightning', 'web+stellar'];

type Outline = { readonly digest: string; readonly isSame: boolean };

/** A text, and whose turn it is among the pages that it is shown on. */
type Given = { readonly text: Text; readonly turn: number };

const GIVEN: readonly Given[] = TEXTS.map((text, turn) => ({
  text: hostileText(text, turn),
  turn,
}));

/** Addresses of documents by what is first in them: both looks are at the same. */
const drawn = new Map<Given, string>();

/** Two for each text. */
async function outlinesOf(page: Page, given: readonly Given[]): Promise<Outline[]> {
  await show(page, given);
  return page.evaluate<Outline[]>(OUTLINES);
}

async function show(page: Page, given: readonly Given[]): Promise<void> {
  const [first] = given;
  const url =
    drawn.get(first!) ??
    site.show(joinPages(given.flatMap(({ text, turn }) => pagesWith(text, turn))));
  drawn.set(first!, url);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
}

/** What each shape makes when there is nothing in it that a browser could take for markup. */
async function outlinesByShape(page: Page): Promise<Map<string, readonly Outline[]>> {
  const harmless = new Map<string, Given>();
  for (const { text, turn } of GIVEN) {
    const one = { text: harmlessText(text), turn };
    harmless.set(shapeOf(one.text, turn), one);
  }
  const outlines: Outline[] = [];
  for (const given of inDocuments([...harmless.values()])) {
    outlines.push(...(await outlinesOf(page, given)));
  }
  const shapes = harmless.keys();
  return new Map(shapes.map((shape, at) => [shape, outlines.slice(2 * at, 2 * at + 2)]));
}

function inDocuments(given: readonly Given[]): readonly (readonly Given[])[] {
  return Array.from({ length: Math.ceil(given.length / PER_DOCUMENT) }, (_, at) =>
    given.slice(at * PER_DOCUMENT, (at + 1) * PER_DOCUMENT),
  );
}

async function assertQuiet(page: Page, heard: readonly string[]): Promise<void> {
  const schemes = new Set(await page.evaluate<string[]>(ADDRESSES));
  assert.deepEqual(
    [...schemes].filter((scheme) => !SCHEMES.includes(scheme)),
    [],
  );
  assert.deepEqual(await page.evaluate<string[]>('shots'), []);
  assert.deepEqual(heard, []);
}

test(`${TEXTS.length} texts in every field: none runs, and none adds or takes an element`, async () => {
  const { page, context, heard } = await openWatchedPage(site.origin, false);
  const expected = await outlinesByShape(page);
  for (const given of inDocuments(GIVEN)) {
    const outlines = await outlinesOf(page, given);
    await assertQuiet(page, heard);
    assert.equal(outlines.length, 2 * given.length);
    for (const [index, { text, turn }] of given.entries()) {
      const found = outlines.slice(2 * index, 2 * index + 2);
      assert.deepEqual(found, expected.get(shapeOf(harmlessText(text), turn)), text.text);
      for (const { isSame } of found) assert.ok(isSame, text.text);
    }
  }
  await context.close();
});

test('nor does one run where no policy stands in its way', async () => {
  const { page, context, heard } = await openWatchedPage(site.origin, true);
  for (const given of inDocuments(GIVEN)) {
    await show(page, given);
    await assertQuiet(page, heard);
  }
  await context.close();
});

test('the same texts as markup do run: what they would do is heard', async () => {
  const { page, context, heard } = await openWatchedPage(site.origin, true);
  for (let from = 0; from < Math.min(500, TEXTS.length); from += PER_DOCUMENT) {
    const body = trustedMarkup(TEXTS.slice(from, from + PER_DOCUMENT).join('\n'));
    heard.length = 0;
    await page.goto(site.show({ language: 'en', title: 'Raw', body })).catch(() => undefined);
    // Some of it leads away at once, some runs later.
    await waitUntil('one of the texts to run', async () => {
      const shots = await page.evaluate<unknown[]>('window.shots ?? []').catch(() => []);
      return shots.length + heard.length > 0;
    });
  }
  await context.close();
});

test('addresses, colours and choices are never such a text', () => {
  const ways = [(text: string) => text, (text: string) => `https://shop.example/${text}`];
  for (const text of TEXTS) {
    for (const name of [
      'primaryColor',
      'backgroundColor',
      'languages',
      'defaultLanguage',
      'displayBuyerInfo',
      'returnCountdownSeconds',
    ] as const) {
      assert.throws(() => parsePageSettings({ [name]: text }), Refusal);
    }
    for (const address of ways.map((way) => way(text))) {
      checkOrigins(address);
      checkAddresses(address);
    }
  }
});

const CHARGE = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: '19.90' }],
};

/** They end up in a header. */
function checkOrigins(text: string): void {
  try {
    for (const origin of parsePageSettings({ embedOrigins: text }).embedOrigins ?? []) {
      assert.equal(new URL(origin).origin, origin);
      assert.match(origin, /^https?:\/\/[^\s;,'"]+$/);
    }
  } catch (error) {
    assert.ok(error instanceof Refusal, text);
  }
}

function checkAddresses(text: string): void {
  try {
    const parsed = parseExactJson(
      JSON.stringify({ charge: CHARGE, pageSettings: { returnUrl: text, cancelUrl: text } }),
    );
    if (!parsed.ok) return;
    const { pageSettings } = parseCheckoutRequest(parsed.value);
    for (const stored of [pageSettings.returnUrl, pageSettings.cancelUrl]) {
      const address = returnAddress(stored!, 'abcdefghij12');
      assert.match(new URL(address).protocol, /^https?:$/);
      assert.match(address, /^[!-~]+$/, 'one line of a header');
    }
  } catch (error) {
    assert.ok(error instanceof Refusal, text);
  }
}
