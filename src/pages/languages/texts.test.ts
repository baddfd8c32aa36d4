import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageCode } from '#catalog/language.ts';
import {
  findPageLanguage,
  listPageLanguages,
  offeredLanguage,
  pageLanguage,
  preferredLanguage,
} from './texts.ts';

const ACCEPTED: readonly (readonly [header: string | undefined, code: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['xx, de;q=0.1', 'de'],
  ['*', 'en'],
  ['DE-de', 'de'],
  ['de;q=nonsense', 'en'],
  ['de;q=2, fr;q=0.001', 'fr'],
  ['fr;q=0.3, tr;q=0.9, pl;q=0.8', 'tr'],
  ['pt-BR', 'pt'],
  ['es-419, it', 'es'],
  ['pl-PL;level=1;q=0.4, it;q=0.3', 'pl'],
  ['*, it;q=0.1', 'it'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
];

for (const [header, code] of ACCEPTED) {
  test(`Accept-Language ${JSON.stringify(header)?.slice(0, 40)} reads ${code}`, () => {
    assert.equal(preferredLanguage(header).code, code);
    assert.equal(findPageLanguage('auto', header)?.code, code);
  });
}

test('the language of the address wins over the browser; one that is unknown is no address', () => {
  assert.equal(findPageLanguage('de', 'en')?.code, 'de');
  assert.equal(findPageLanguage('xx', 'en'), undefined);
  assert.equal(findPageLanguage('DE', 'en'), undefined);
});

/** What the address names, what the browser wants, what the shop asked for itself, what is shown. */
const OFFERED: readonly (readonly [
  named: string,
  accepted: string | undefined,
  asked: string,
  shown: string,
])[] = [
  ['auto', 'fr, de;q=0.5', 'auto', 'de'],
  ['auto', 'fr, it;q=0.5', 'auto', 'it'],
  ['auto', 'fr, ja', 'auto', 'it'],
  ['auto', undefined, 'auto', 'it'],
  ['auto', '*', 'auto', 'it'],
  ['de', 'it', 'auto', 'de'],
  // What somebody writes into the address is a wish, as that of his browser is.
  ['fr', 'de', 'auto', 'de'],
  ['fr', 'en', 'auto', 'it'],
  ['fr', undefined, 'auto', 'it'],
  // The shop made this page in French: it offers it here.
  ['fr', 'de', 'fr', 'fr'],
  ['auto', 'fr', 'fr', 'fr'],
  ['de', 'fr', 'fr', 'de'],
  ['auto', 'pl', 'fr', 'it'],
];

for (const [named, accepted, asked, shown] of OFFERED) {
  test(`of German and Italian: /${named}/ with ${accepted}, made in ${asked}, reads ${shown}`, () => {
    const wished = findPageLanguage(named, accepted);
    assert.ok(wished !== undefined);
    const settings = { languages: ['de', 'it'], defaultLanguage: 'it' } as const;
    const language = offeredLanguage(wished, settings, asked);
    assert.equal(language.code, shown);
    assert.deepEqual(language.offered, asked === 'fr' ? ['de', 'it', 'fr'] : ['de', 'it']);
  });
}

/** Functions of these take numbers, the others texts. */
const COUNTED: readonly string[] = ['paying.choose.networks', 'seen.confirmations'];
const STAND_INS = ['FIRST', 'SECOND', 'THIRD', 'FOURTH'];

type Entry = { readonly text: string; readonly given: readonly string[] };

/** Every text by its path, its functions called with stand-ins as many as English takes. */
function flatten(texts: object, english: object = texts, path = ''): Map<string, Entry> {
  const flat = new Map<string, Entry>();
  for (const [key, value] of Object.entries(texts)) {
    const model: unknown = (english as Record<string, unknown>)[key];
    if (typeof value === 'string') flat.set(path + key, { text: value, given: [] });
    else if (typeof value === 'function' && typeof model === 'function') {
      const isCounted = COUNTED.includes(path + key);
      const given = isCounted ? [23, 57] : STAND_INS;
      const used = given.slice(0, model.length);
      flat.set(path + key, { text: value(...used), given: used.map(String) });
    } else {
      for (const [inner, entry] of flatten(value, model as object, `${path}${key}.`)) {
        flat.set(inner, entry);
      }
    }
  }
  return flat;
}

const english = flatten(pageLanguage('en').texts);
const others = listPageLanguages().filter(({ code }) => code !== 'en');

/** The same in English and elsewhere: signs, no words. */
const SAME: readonly string[] = ['summary.quantity'];

test('all eight languages of the specification can be read', () => {
  const codes = listPageLanguages().map(({ code }) => code);
  assert.deepEqual(codes, ['en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr']);
  assert.ok(english.size > 130);
});

for (const { code, texts } of others) {
  const flat = flatten(texts, pageLanguage('en').texts);

  test(`${code} has every text and says it itself`, () => {
    assert.deepEqual([...flat.keys()], [...english.keys()]);
    const same = [...flat].filter(([key, { text }]) => english.get(key)?.text === text);
    assert.deepEqual(
      same.map(([key]) => key).filter((key) => !SAME.includes(key)),
      [],
    );
  });

  test(`${code} uses what is put into its texts`, () => {
    for (const [key, { text, given }] of flat) {
      for (const one of given) assert.ok(text.includes(one), `${key}: ${one} in "${text}"`);
    }
  });

  test(`${code} is not much longer than English anywhere`, () => {
    for (const [key, { text }] of flat) {
      const model = english.get(key)?.text.length ?? 0;
      assert.ok(text.length <= model * 1.7 + 22, `${key}: ${text.length} to ${model}`);
      // The longest word must fit into 320 pixels.
      const words = text.split(/[\s\u00ad-]/).map((word) => word.length);
      assert.ok(Math.max(...words) <= 24, `${key}: ${text}`);
    }
  });

  test(`${code} is set as its readers expect`, () => {
    for (const [key, { text }] of flat) {
      assert.equal(text, text.trim(), key);
      assert.doesNotMatch(text, / {2}|undefined|NaN|\[object/, key);
      assert.doesNotMatch(text, /['"`]/, `${key}: typewriter quotes`);
      if (code === 'fr') assert.doesNotMatch(text, /(?<!\u00a0)[:;?!]/, `${key}: ${text}`);
    }
  });
}

test('buttons and labels beside others are short in every language', () => {
  for (const { code, texts } of listPageLanguages()) {
    const { page, pay, choose } = texts;
    assert.ok(Math.max(page.copy.length, page.copied.length) <= 11, code);
    assert.ok(pay.qrLink.length + pay.qrAddress.length <= 34, code);
    assert.ok(choose.continue.length <= 14, code);
  }
});

const COUNTS: readonly (readonly [code: LanguageCode, number: number, networks: string])[] = [
  ['en', 1, '1 network'],
  ['en', 2, '2 networks'],
  ['de', 1, '1 Netzwerk'],
  ['de', 0, '0 Netzwerke'],
  ['fr', 0, '0 réseau'],
  ['fr', 2, '2 réseaux'],
  ['pt', 0, '0 rede'],
  ['tr', 2, '2 ağ'],
  ['pl', 1, '1 sieć'],
  ['pl', 2, '2 sieci'],
  ['pl', 5, '5 sieci'],
];

for (const [code, number, networks] of COUNTS) {
  test(`${number} networks in ${code}`, () => {
    assert.equal(pageLanguage(code).texts.paying.choose.networks(number), networks);
  });
}

test('confirmations are counted by how many are needed', () => {
  const said = (code: LanguageCode, have: number, need: number) =>
    pageLanguage(code).texts.seen.confirmations(have, need);
  assert.equal(said('en', 0, 1), '0 of 1 confirmation');
  assert.equal(said('de', 1, 6), '1 von 6 Bestätigungen');
  assert.equal(said('pl', 0, 1), '0 z 1 potwierdzenia');
  assert.equal(said('pl', 1, 2), '1 z 2 potwierdzeń');
  assert.equal(said('tr', 1, 3), '3 onaydan 1 tanesi alındı');
});
