import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createDecimal, parseDecimal } from '#money/decimal.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { type AnchorTerms, mergeTerms, passageOf, readTerms } from './anchor-terms.ts';

const NOTHING: AnchorTerms = {
  feeFixed: undefined,
  feePercent: undefined,
  minAmount: undefined,
  maxAmount: undefined,
};
const five = parseDecimal('5');
const limits = { stepUnits: 1n, feePercentMost: five };

function termsOf(json: string): AnchorTerms {
  const reading = read(json);
  assert(reading.kind === 'read');
  return reading.terms;
}

function read(json: string) {
  const parsed = parseExactJson(json);
  assert(parsed.ok && isJsonObject(parsed.value));
  return readTerms(parsed.value);
}

/**
 * What an anchor pays out by the words of SEP-6 (Amount Formulas): amount_in less amount_fee, whose fee is
 * rounded up to so many units. Written apart from what it tests: scaled integers, no decimals.
 */
function paidOut(sent: bigint, fixed: bigint, percentMillionths: bigint, round: bigint): bigint {
  const scale = 100_000_000n;
  const fee = fixed * scale + sent * percentMillionths;
  const roundTo = scale * round;
  return sent - ((fee + roundTo - 1n) / roundTo) * round;
}

test('without a fee what is needed is sent', () => {
  const sent = { kind: 'passes', askedUnits: 12345n, arrivingUnits: 12345n };
  assert.deepEqual(passageOf(NOTHING, 12345n, limits), sent);
  assert.deepEqual(passageOf(termsOf('{"fee_fixed":0,"fee_percent":"0.0"}'), 12345n, limits), sent);
});

test('fixed fee and percentage of what is sent are asked for on top, rounded up', () => {
  // 0.25 needed: (0.25 + 0.0002) / 0.99 = 0.2527272.72…
  const terms = termsOf('{"fee_fixed":0.0002,"fee_percent":1}');
  const passage = passageOf(terms, 250_0000n, limits);
  assert.deepEqual(passage, { kind: 'passes', askedUnits: 2_527_273n, arrivingUnits: 2_500_000n });
});

test('a coin with six digits is sent in whole units of its own', () => {
  const terms = termsOf('{"fee_fixed":"0.0000001"}');
  const passage = passageOf(terms, 1_000_001n, { ...limits, stepUnits: 10n });
  assert.deepEqual(passage, { kind: 'passes', askedUnits: 1_000_020n, arrivingUnits: 1_000_010n });
});

test('what arrives is never short, nothing less would do, and asking again gives the same', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 17n });
  const fixed = fc.bigInt({ min: 0n, max: 10n ** 12n });
  const millionths = fc.bigInt({ min: 0n, max: 5_000_000n });
  const step = fc.constantFrom(1n, 10n, 100_000n);
  fc.assert(
    fc.property(amount, fixed, millionths, step, (units, fixedUnits, percent, stepUnits) => {
      const terms: AnchorTerms = {
        ...NOTHING,
        feeFixed: createDecimal(fixedUnits, 7),
        feePercent: createDecimal(percent, 6),
      };
      const passage = passageOf(terms, units, { stepUnits, feePercentMost: five });
      if (passage.kind === 'refused') return true;
      const { askedUnits, arrivingUnits } = passage;
      assert.equal(askedUnits % stepUnits, 0n);
      for (const round of new Set([1n, stepUnits])) {
        assert(paidOut(askedUnits, fixedUnits, percent, round) >= units, 'the merchant is short');
      }
      assert.equal(paidOut(askedUnits, fixedUnits, percent, stepUnits), arrivingUnits);
      assert(paidOut(askedUnits - stepUnits, fixedUnits, percent, stepUnits) < units, 'too much');
      assert((askedUnits - arrivingUnits) * 100n <= askedUnits * 5n, 'more than may be kept');
      assert.deepEqual(
        passageOf(terms, arrivingUnits, { stepUnits, feePercentMost: five }),
        passage,
      );
      return true;
    }),
    { numRuns: 2000 },
  );
});

test('most of these cases pass, so that the property says something', () => {
  const terms = termsOf('{"fee_fixed":"0.0000010","fee_percent":"4.9"}');
  assert.equal(passageOf(terms, 10_000n, limits).kind, 'passes');
});

describe('no amount passes', () => {
  for (const [name, json] of [
    ['a percentage above the most', '{"fee_percent":5.0000001}'],
    ['a fee of 1000 %', '{"fee_percent":1000}'],
    ['a fee of all of it', '{"fee_percent":100}'],
  ] as const) {
    test(name, () => {
      const passage = passageOf(termsOf(json), 10n ** 12n, limits);
      assert(passage.kind === 'refused');
      assert.match(passage.reason, /more than 5 %/);
    });
  }
  test('a fee of all of it, whatever the operator bears', () => {
    const most = { ...limits, feePercentMost: parseDecimal('1000') };
    assert.equal(passageOf(termsOf('{"fee_percent":100}'), 1n, most).kind, 'refused');
  });
  test('any fee where none may be kept', () => {
    const none = { ...limits, feePercentMost: parseDecimal('0') };
    assert.equal(passageOf(termsOf('{"fee_fixed":0.0000001}'), 10n ** 12n, none).kind, 'refused');
    assert.equal(passageOf(NOTHING, 10n ** 12n, none).kind, 'passes');
  });
});

test('a fixed fee is dear for little and cheap for much', () => {
  const terms = termsOf('{"fee_fixed":0.001}');
  const little = passageOf(terms, 100_000n, limits);
  assert(little.kind === 'refused');
  assert.equal(little.reason, 'the anchor keeps 0.001 of 0.011, more than 5 %');
  assert.equal(passageOf(terms, 200_000n, limits).kind, 'passes');
});

test('limits are of what is sent, fee included, themselves within', () => {
  const terms = termsOf('{"fee_fixed":"0.0000001","min_amount":0.0001,"max_amount":"0.0002"}');
  const sent = (units: bigint) => {
    const passage = passageOf(terms, units, limits);
    return passage.kind === 'passes' ? passage.askedUnits : passage.reason;
  };
  assert.deepEqual(
    [sent(998n), sent(999n), sent(1999n), sent(2000n)],
    ['the anchor takes 0.0001 at least', 1000n, 2000n, 'the anchor takes 0.0002 at most'],
  );
  assert.equal(passageOf(NOTHING, 2n ** 63n, limits).kind, 'refused');
});

describe('terms that are none', () => {
  for (const json of [
    '{"fee_fixed":-0.1}',
    '{"fee_fixed":"NaN"}',
    '{"fee_percent":"Infinity"}',
    '{"fee_percent":"1e400"}',
    '{"fee_fixed":1e-30}',
    `{"fee_fixed":0.${'1'.repeat(5000)}}`,
    '{"fee_fixed":{}}',
    '{"fee_fixed":[1]}',
    '{"fee_fixed":true}',
    '{"fee_fixed":""}',
    '{"fee_fixed":"0x1"}',
    '{"min_amount":"-1"}',
    '{"max_amount":" 1"}',
  ]) {
    test(json.slice(0, 40), () => assert.equal(read(json).kind, 'unreadable'));
  }
});

test('what a deposit does not say holds as the information says it', () => {
  const general = termsOf('{"fee_fixed":0.1,"fee_percent":1,"max_amount":5}');
  const own = termsOf('{"fee_percent":0,"min_amount":null}');
  assert.deepEqual(
    mergeTerms(general, own),
    termsOf('{"fee_fixed":0.1,"fee_percent":0,"max_amount":5}'),
  );
});
