import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codePointLength } from '#base/text.ts';
import { tryParseDecimal } from '#money/decimal.ts';
import { ExactNumber } from '#money/exact-json.ts';
import { ANSWER_MAX, ASK_KINDS, type Ask, type AskKind } from './ask.ts';
import { decideAnswers } from './decide-answers.ts';

const ask = (kind: AskKind, more: Partial<Ask> = {}): Ask => ({
  ...{ key: 'it', kind, label: 'It', labels: {}, isRequired: false },
  choices: kind === 'CHOICE' ? ['Red', 'Blue'] : [],
  ...more,
});
const decide = (one: Ask, given: unknown) => {
  const { answers, faults } = decideAnswers([one], new Map([['it', given]]));
  return faults[0]?.fault ?? answers.it;
};

const TABLE: readonly (readonly [
  one: Ask,
  given: unknown,
  answer: string | boolean | undefined,
])[] = [
  [ask('TEXT'), '  a name ', 'a name'],
  [ask('TEXT'), '   ', undefined],
  [ask('TEXT'), null, undefined],
  [ask('TEXT', { isRequired: true }), ' ', 'required'],
  [ask('TEXT', { isRequired: true }), undefined, 'required'],
  [ask('TEXT'), 7, 'plain'],
  [ask('TEXT'), { a: 1 }, 'plain'],
  [ask('TEXT'), 'two\nlines', 'plain'],
  [ask('TEXT'), 'bell\u0007', 'plain'],
  [ask('TEXT'), 'half \ud83d', 'plain'],
  [ask('TEXT'), '<script>alert(1)</script>', '<script>alert(1)</script>'],
  [ask('TEXT'), '\u202eevil', '\u202eevil'],
  [ask('TEXT'), '=1+1', '=1+1'],
  [ask('TEXT'), '😀'.repeat(ANSWER_MAX), '😀'.repeat(ANSWER_MAX)],
  [ask('TEXT'), 'x'.repeat(ANSWER_MAX + 1), 'long'],
  [ask('TEXT', { most: '3' }), '😀😀😀', '😀😀😀'],
  [ask('TEXT', { most: '3' }), 'four', 'long'],
  [ask('TEXT', { least: '3' }), '12', 'short'],
  [ask('EMAIL'), 'ada@shop.example', 'ada@shop.example'],
  [ask('EMAIL'), 'ada', 'email'],
  [ask('NUMBER'), '7.50', '7.5'],
  [ask('NUMBER'), new ExactNumber('7.5'), '7.5'],
  [ask('NUMBER'), '1e3', '1000'],
  [ask('NUMBER'), '0x10', 'number'],
  [ask('NUMBER'), 'NaN', 'number'],
  [ask('NUMBER'), true, 'number'],
  [ask('NUMBER', { least: '18', most: '99.5' }), '17.999999', 'low'],
  [ask('NUMBER', { least: '18', most: '99.5' }), '99.5', '99.5'],
  [ask('NUMBER', { least: '18', most: '99.5' }), '99.500000000000000001', 'high'],
  [ask('CHOICE'), 'Red', 'Red'],
  [ask('CHOICE'), 'red', 'choice'],
  [ask('CHECKBOX'), undefined, false],
  [ask('CHECKBOX'), true, true],
  [ask('CHECKBOX'), 'yes', 'checkbox'],
  [ask('CHECKBOX', { isRequired: true }), false, 'required'],
];

for (const [one, given, answer] of TABLE) {
  const shown = String(JSON.stringify(given)).slice(0, 30);
  test(`a ${one.kind} answered with ${shown} is ${String(answer).slice(0, 30)}`, () => {
    assert.equal(decide(one, given), answer);
  });
}

test('what is not asked for is refused, also under the names of objects', () => {
  for (const key of ['other', 'constructor', '__proto__', 'toString']) {
    const { answers, faults } = decideAnswers([ask('TEXT')], new Map([[key, 'x']]));
    assert.deepEqual(faults, [{ key, fault: 'unknown' }]);
    assert.deepEqual(answers, {});
  }
});

test('whatever is sent, what is kept is of its kind, on one line, and is kept again the same', () => {
  const given = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.double().map(String),
    fc.boolean(),
    fc.anything(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ASK_KINDS), fc.boolean(), given, (kind, isRequired, value) => {
      const one = ask(kind, { isRequired });
      const { answers, faults } = decideAnswers([one], new Map([['it', value]]));
      if (faults.length > 0 || answers.it === undefined) return;
      const { it } = answers;
      assert.equal(typeof it, kind === 'CHECKBOX' ? 'boolean' : 'string');
      if (typeof it === 'string') {
        assert.doesNotMatch(it, /\p{Cc}/u);
        assert.ok(it.isWellFormed() && it !== '' && codePointLength(it) <= ANSWER_MAX);
        if (kind === 'NUMBER') assert.ok(tryParseDecimal(it));
      }
      assert.deepEqual(decideAnswers([one], new Map(Object.entries(answers))).answers, answers);
    }),
  );
});
