import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ExactJson, ExactNumber, parseExactJson, stringifyExact } from './exact-json.ts';

function parsed(text: string): ExactJson {
  const outcome = parseExactJson(text);
  return outcome.ok ? outcome.value : assert.fail(`${outcome.message}: ${text}`);
}

/** The value as JSON.parse would have it; fails on objects with a prototype. */
function withFloats(value: ExactJson): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(withFloats);
  if (typeof value !== 'object' || value === null) return value;
  assert.equal(Object.getPrototypeOf(value), null);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withFloats(part)]));
}

function native(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const isKeyAllowed = (key: string) =>
  !['__proto__', 'constructor', 'prototype'].includes(key) && !key.includes('\u0000');
const anyText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'));
const anyDocument = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    anyText,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(anyText.filter(isKeyAllowed), tie('value'), { maxKeys: 5 }),
  ),
})).value;
const anySpacing = fc.constantFrom('', ' ', '\t', '\n\r');

test('whatever JSON.parse reads is read as the same value apart from numbers', () => {
  fc.assert(
    fc.property(anyDocument, anySpacing, (document, spacing) => {
      const text = JSON.stringify(document, null, spacing);
      assert.deepEqual(withFloats(parsed(text)), JSON.parse(text));
    }),
    { numRuns: 2000 },
  );
});

test('what was read is written back as the same text', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const text = JSON.stringify(document);
      assert.equal(stringifyExact(parsed(text)), text);
    }),
    { numRuns: 1500 },
  );
});

const ourOwnRules = /is given twice|is not allowed|NUL|surrogate|deeper than/;

test('damaged JSON is refused where JSON.parse refuses it, and never throws', () => {
  const anyPiece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u', '\\ud800', '\\u0000', '-', '+', '.', 'e'],
    ...[
      '0',
      '1',
      ' ',
      '\n',
      '\u0000',
      '\u001f',
      '\u00a0',
      '\ufeff',
      "'",
      '/',
      'tru',
      'null',
      '1e5',
    ],
  );
  const anyDamage = fc.record({ at: fc.nat(), removed: fc.nat({ max: 2 }), piece: anyPiece });
  const outcomes = { read: 0, refused: 0, ours: 0 };
  fc.assert(
    fc.property(
      anyDocument,
      fc.array(anyDamage, { minLength: 1, maxLength: 3 }),
      (document, damages) => {
        let text = JSON.stringify(document);
        for (const { at, removed, piece } of damages) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + piece + text.slice(place + removed);
        }
        const theirs = native(text);
        const outcome = parseExactJson(text);
        if (outcome.ok) {
          outcomes.read += 1;
          assert.deepEqual(withFloats(outcome.value), theirs?.value, text);
        } else if (theirs === undefined) {
          outcomes.refused += 1;
          assert.ok(outcome.message.length < 200);
        } else {
          outcomes.ours += 1;
          assert.match(outcome.message, ourOwnRules, text);
        }
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(outcomes.read > 100 && outcomes.refused > 1000, JSON.stringify(outcomes));
});

test('arbitrary text is read as JSON.parse reads it', () => {
  const alphabet = fc.constantFrom(...'{}[]:,"\\-+.eE01 \ntrufalsn');
  fc.assert(
    fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
      const outcome = parseExactJson(text);
      const theirs = native(text);
      if (outcome.ok) assert.deepEqual(withFloats(outcome.value), theirs?.value, text);
      else if (theirs !== undefined) assert.match(outcome.message, ourOwnRules, text);
    }),
    { numRuns: 4000 },
  );
});

const refusedTexts: [string, string, RegExp][] = [
  ['an empty text', '', /^the JSON text is empty$/],
  ['white space alone', ' \n\t', /^the JSON text is empty$/],
  ['a byte order mark', '\ufeff{}', /byte order mark at character 1$/],
  ['a second value', '{} {}', /something follows the value at character 4$/],
  ['a trailing comma in a list', '[1,]', /expected a value at character 4$/],
  ['a trailing comma in an object', '{"a":1,}', /expected a key in double quotes at character 8$/],
  ['a bare key', '{a:1}', /expected a key in double quotes/],
  ['a missing colon', '{"a" 1}', /expected a ':' at character 6$/],
  ['an unfinished object', '{"a":', /ends before its value is complete/],
  ['an unfinished list', '[1', /ends where a ',' or '\]' is expected at character 3$/],
  ['an unfinished string', '"abc', /ends inside a string/],
  ['a string that ends in a backslash', '"abc\\', /ends inside a string/],
  ['a bare line end in a string', '"a\nb"', /bare control character in a string at character 3$/],
  ['an unknown escape', '"\\x41"', /unknown escape/],
  ['a comment', '{} // x', /something follows/],
  ['a leading zero', '[01]', /expected the end of a number at character 3$/],
  ['a number with two points', '1.2.3', /expected the end of a number/],
  ['a number without its fraction', '[1.]', /expected the end of a number/],
  ['a leading plus', '+1', /expected a value/],
  ['NaN', '[NaN]', /expected a value/],
  ['a capital literal', '[True]', /expected a value/],
  ['a literal that goes on', '[nullx]', /expected a ',' or '\]'/],
  ['a key given twice', '{"a":1,"a":2}', /the key "a" is given twice at character 8$/],
  ['a key given twice with one value', '{"a":1,"a":1}', /the key "a" is given twice/],
  ['a key given twice, once escaped', '{"a":1,"\\u0061":1}', /the key "a" is given twice/],
  ['a key given twice further down', '[{"x":{"b":[],"b":[]}}]', /the key "b" is given twice/],
  ['the key __proto__', '{"__proto__":{"a":1}}', /the key "__proto__" is not allowed/],
  ['the key __proto__ escaped', '{"\\u005f_proto__":1}', /the key "__proto__" is not allowed/],
  ['the key constructor', '[{"constructor":1}]', /the key "constructor" is not allowed/],
  ['the key prototype', '{"prototype":1}', /the key "prototype" is not allowed/],
  ['half of a surrogate pair, escaped', '"\\ud83d"', /half of a surrogate pair/],
  ['half of a surrogate pair, bare', '"\udc00"', /half of a surrogate pair/],
  ['half of a surrogate pair in a key', '{"\\ud83d":1}', /half of a surrogate pair/],
  ['NUL in a string', '"\\u0000"', /NUL/],
  ['NUL in a key', '{"a\\u0000":1}', /NUL/],
  ['a bare NUL', '"\u0000"', /bare control character/],
  ['21 levels', '['.repeat(21) + ']'.repeat(21), /deeper than 20 levels at character 21$/],
  ['256 KiB of [', '['.repeat(262_144), /deeper than 20 levels/],
  ['256 KiB of {"a":', '{"a":'.repeat(52_000), /deeper than 20 levels/],
  ['256 KiB of backslashes', `"${'\\'.repeat(262_144)}`, /ends inside a string/],
];
for (const [name, text, message] of refusedTexts) {
  test(`${name} is refused`, () => {
    const outcome = parseExactJson(text);
    assert.match(outcome.ok ? 'read' : outcome.message, message);
  });
}

test('twenty levels are read, lists and objects together, one after the other too', () => {
  assert.deepEqual(stringifyExact(parsed(`${'['.repeat(20)}${']'.repeat(20)}`)).length, 40);
  parsed(`${'[{"a":'.repeat(10)}1${'}]'.repeat(10)}`);
  parsed(`[${'[[]],'.repeat(100)}[]]`);
});

test('the names of what every object inherits are ordinary keys', () => {
  const text = '{"toString":1,"hasOwnProperty":2,"valueOf":3}';
  assert.equal(stringifyExact(parsed(text)), text);
});

test('a long key is cut in the message', () => {
  const key = 'k'.repeat(100_000);
  const outcome = parseExactJson(`{"${key}":1,"${key}":1}`);
  assert.ok(!outcome.ok && outcome.message.length < 200);
});

const numberTexts = ['0', '-0', '1.10', '1e5', '1E+05', '0.1', '123456789012345678901234567890.10'];
for (const text of numberTexts) {
  test(`the number ${text} keeps its text`, () => {
    const value = parsed(`{"amount":${text}}`);
    assert.deepEqual(value, Object.assign(Object.create(null), { amount: new ExactNumber(text) }));
    assert.equal(stringifyExact(value), `{"amount":${text}}`);
    assert.equal(JSON.stringify(value), `{"amount":${text}}`);
  });
}

test('a text is no number and an object with a text is none either', () => {
  assert.equal(parsed('"1"'), '1');
  assert.equal(parsed('{"text":"1"}') instanceof ExactNumber, false);
  for (const text of ['', '"1"', '1 ', '01', 'null', '1}', 'NaN', '1\n']) {
    assert.throws(() => new ExactNumber(text), /not a JSON number/, text);
  }
});

test('our own data is written only when nothing of it would be lost', () => {
  const amount = new ExactNumber('0.10');
  assert.equal(stringifyExact({ a: 1, amount, none: undefined }), '{"a":1,"amount":0.10}');
  assert.equal(
    stringifyExact(Temporal.Instant.from('2030-01-01T00:00Z')),
    '"2030-01-01T00:00:00Z"',
  );
  for (const value of [1n, { units: 1n }, [0.1], Number.NaN, 2 ** 53, undefined]) {
    assert.throws(() => stringifyExact(value), { name: 'AssertionFailure' });
  }
});
