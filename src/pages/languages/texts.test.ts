import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPageLanguage, listPageLanguages, preferredLanguage, type Texts } from './texts.ts';

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

/** Every text, its functions called with stand-ins, by its path. */
function flatten(texts: object, path = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat.set(path + key, value);
    else if (typeof value === 'function') {
      flat.set(path + key, value('1', '2'));
      flat.set(`${path + key} of many`, value(3, 4));
    } else {
      for (const [inner, text] of flatten(value, `${path + key}.`)) flat.set(inner, text);
    }
  }
  return flat;
}

test('every language has every text, says something, and says it itself', () => {
  const byCode = new Map(listPageLanguages().map(({ code, texts }) => [code, flatten(texts)]));
  const english = byCode.get('en');
  assert.ok(english !== undefined && english.size > 100);
  for (const [code, flat] of byCode) {
    assert.deepEqual([...flat.keys()].sort(), [...english.keys()].sort(), code);
    for (const [key, text] of flat) assert.ok(text.trim() !== '', `${code} ${key}`);
    if (code === 'en') continue;
    const same: [string, string][] = [...flat].filter(([key, text]) => english.get(key) === text);
    assert.ok(same.length <= 5, `${code}: ${same.map(([key]) => key).join(', ')}`);
  }
});

test('what is put into a text appears in it', () => {
  const calls: readonly ((texts: Texts) => string)[] = [
    (texts) => texts.pay.title('VALUE'),
    (texts) => texts.pay.timeLeft('VALUE'),
    (texts) => texts.pay.onlyNetwork('x', 'VALUE'),
    (texts) => texts.seen.confirmations('VALUE', 'x'),
    (texts) => texts.notice.over('VALUE'),
    (texts) => texts.trouble.behindOver('VALUE'),
  ];
  for (const { texts } of listPageLanguages()) {
    for (const call of calls) assert.match(call(texts), /VALUE/);
  }
});
