// Mails to customers in eight languages: each says everything itself, and drops nothing of what it
// is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { letterTexts } from './texts.ts';

const GIVEN = ['FIRST', 'SECOND'];

/** The same everywhere: a name and a day. */
const SAME: readonly string[] = ['staff.summary.subject'];

/** Every text by its path, functions called with stand-ins. */
function flatten(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] => {
      if (typeof value === 'string') return [[path + key, value]];
      if (typeof value === 'function') return [[path + key, String(value(...GIVEN))]];
      return [...flatten(value as object, `${path}${key}.`)];
    }),
  );
}

const english = flatten(letterTexts('en'));

for (const { languageCode } of LANGUAGES.filter((one) => one.languageCode !== 'en')) {
  test(`${languageCode} has every text of a mail, says it itself, and names what it is given`, () => {
    const texts = flatten(letterTexts(languageCode));
    assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort());
    for (const [path, text] of texts) {
      const wanted = english.get(path) ?? '';
      if (!SAME.includes(path)) assert.notEqual(text, wanted, path);
      for (const given of GIVEN) assert.equal(text.includes(given), wanted.includes(given), path);
    }
  });
}
