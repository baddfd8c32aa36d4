// The oracle is another representation altogether: fractions of bigints compared by
// cross-multiplying, read from the text by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalFromUnits,
  decimalToText,
  divideToScale,
  isNegative,
  isZero,
  multiply,
  negate,
  ONE,
  parseDecimal,
  parseWideDecimal,
  roundDecimal,
  subtract,
  tryParseDecimal,
  unitsFromDecimal,
  ZERO,
} from './decimal.ts';
import type { Rounding } from './rounding.ts';

type Fraction = readonly [above: bigint, below: bigint];

const runs = { numRuns: 3000 };

function fractionOf({ coefficient, scale }: Decimal): Fraction {
  return [coefficient, BigInt(`1${'0'.repeat(scale)}`)];
}

function isSame([a, b]: Fraction, [c, d]: Fraction): boolean {
  return a * d === c * b;
}

function isBelow([a, b]: Fraction, [c, d]: Fraction): boolean {
  return b > 0n && d > 0n ? a * d < c * b : assert.fail('denominators are positive');
}

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }), fc.integer({ min: 0, max: 18 }))
  .map(([coefficient, scale]) => createDecimal(coefficient, scale));
const anyRounding = fc.constantFrom<Rounding>('up', 'down', 'half-even');
const anyDigits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });

/** The value of a JSON number's text as a fraction, without regular expressions. */
function readText(text: string): Fraction {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const places = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  const digits = BigInt(integer + fraction) * (mantissa.startsWith('-') ? -1n : 1n);
  return places >= 0n ? [digits * 10n ** places, 1n] : [digits, 10n ** -places];
}

test('a printed decimal reads back as the same data', () => {
  fc.assert(
    fc.property(anyDecimal, (decimal) => {
      assert.deepEqual(parseWideDecimal(decimalToText(decimal)), decimal);
    }),
    runs,
  );
});

test('a text is read as its exact value, or refused when beyond 18 + 18 digits', () => {
  const anyText = fc
    .record({
      sign: fc.constantFrom('', '-'),
      integer: anyDigits(24).map((digits) => BigInt(digits).toString()),
      fraction: fc.option(anyDigits(24), { nil: undefined }),
      exponent: fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined }),
      letter: fc.constantFrom('e', 'E'),
      plus: fc.constantFrom('', '+'),
    })
    .map(({ sign, integer, fraction, exponent, letter, plus }) => {
      const point = fraction === undefined ? '' : `.${fraction}`;
      if (exponent === undefined) return `${sign}${integer}${point}`;
      return `${sign}${integer}${point}${letter}${exponent < 0 ? '' : plus}${exponent}`;
    });
  const outcomes = { read: 0, refused: 0 };
  fc.assert(
    fc.property(anyText, (text) => {
      const [above, below] = readText(text);
      const magnitude = above < 0n ? -above : above;
      const isWithin = magnitude < below * 10n ** 18n && (above * 10n ** 18n) % below === 0n;
      const decimal = tryParseDecimal(text);
      assert.equal(decimal !== undefined, isWithin, text);
      if (decimal === undefined) {
        outcomes.refused += 1;
        return;
      }
      outcomes.read += 1;
      assert.ok(isSame(fractionOf(decimal), [above, below]), text);
      assert.ok(decimal.scale === 0 || decimal.coefficient % 10n !== 0n, 'normalised');
      assert.ok(Object.isFrozen(decimal));
    }),
    { numRuns: 6000 },
  );
  assert.ok(outcomes.read > 500 && outcomes.refused > 500, JSON.stringify(outcomes));
});

const canonical: [string, string][] = [
  ['0', '0'],
  ['-0', '0'],
  ['-0.000e5', '0'],
  ['0e999999999999999999999', '0'],
  ['12.50', '12.5'],
  ['1e3', '1000'],
  ['1.5E+1', '15'],
  ['-25e-2', '-0.25'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['999999999999999999.999999999999999999', '999999999999999999.999999999999999999'],
  ['0.0000000000000000000001e22', '1'],
  [`1.${'0'.repeat(100)}`, '1'],
];
for (const [text, printed] of canonical) {
  test(`${text} is ${printed}`, () => assert.equal(decimalToText(parseDecimal(text)), printed));
}

const refused = [
  ...['', ' ', ' 1', '1 ', '1\n', '+1', '.5', '1.', '01', '-', '--1', '1e', '1e+', '0x10', '1_000'],
  ...[
    'NaN',
    'Infinity',
    '1,5',
    '1.2.3',
    '١',
    '1e1.5',
    '-.5',
    '1000000000000000000',
    '1e18',
    '1e-19',
  ],
  ...['0.0000000000000000001', '1e99999999999999999999', '1e-99999999999999999999', '1n', 'null'],
];
for (const text of refused) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.equal(tryParseDecimal(text), undefined);
    assert.throws(() => parseDecimal(text), RangeError);
  });
}

test('wide decimals hold 78 digits and refuse 79', () => {
  assert.equal(parseWideDecimal('9'.repeat(78)).coefficient, 10n ** 78n - 1n);
  assert.throws(() => parseWideDecimal('9'.repeat(79)), RangeError);
});

test('a text of a million zeros is read in linear time', () => {
  const startedAtMs = performance.now();
  assert.equal(tryParseDecimal(`0.${'0'.repeat(1_000_000)}1`), undefined);
  assert.deepEqual(tryParseDecimal(`1.${'0'.repeat(1_000_000)}`), ONE);
  assert.ok(performance.now() - startedAtMs < 10_000);
});

test('sums, differences, products and order are exact', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, (left, right) => {
      const [a, b] = fractionOf(left);
      const [c, d] = fractionOf(right);
      assert.ok(isSame(fractionOf(add(left, right)), [a * d + c * b, b * d]));
      assert.ok(isSame(fractionOf(subtract(left, right)), [a * d - c * b, b * d]));
      assert.ok(isSame(fractionOf(multiply(left, right)), [a * c, b * d]));
      assert.equal(compare(left, right) === -1, isBelow([a, b], [c, d]));
      assert.equal(compare(left, right) === 0, isSame([a, b], [c, d]));
      assert.deepEqual(add(subtract(left, right), right), left);
      assert.deepEqual(negate(negate(left)), left);
      assert.equal(isZero(subtract(left, left)), true);
      assert.equal(isNegative(left), a < 0n);
    }),
    { numRuns: 5000 },
  );
});

test('a sum has no remainder of binary fractions', () => {
  assert.equal(decimalToText(add(parseDecimal('0.1'), parseDecimal('0.2'))), '0.3');
  assert.deepEqual(subtract(ONE, ONE), ZERO);
});

/** Holds `rounded` against the exact fraction: right side, nearer than one step, ties to even. */
function assertRounded(rounded: Decimal, exact: Fraction, scale: number, rounding: Rounding): void {
  const step = 10n ** BigInt(scale);
  const [above, below] = exact[1] < 0n ? [-exact[0], -exact[1]] : exact;
  assert.ok(rounded.scale <= scale);
  const steps = rounded.coefficient * 10n ** BigInt(scale - rounded.scale);
  // Error of the result in steps, as a fraction over `below`.
  const error = steps * below - above * step;
  if (rounding === 'up') assert.ok(error >= 0n && error < below);
  if (rounding === 'down') assert.ok(error <= 0n && -error < below);
  if (rounding === 'half-even') {
    const twice = 2n * (error < 0n ? -error : error);
    assert.ok(twice < below || (twice === below && steps % 2n === 0n));
  }
}

test('rounding brackets the exact value and goes where its name says', () => {
  const anyScale = fc.integer({ min: 0, max: 20 });
  fc.assert(
    fc.property(anyDecimal, anyScale, anyRounding, (decimal, scale, rounding) => {
      const rounded = roundDecimal(decimal, scale, rounding);
      assertRounded(rounded, fractionOf(decimal), scale, rounding);
    }),
    { numRuns: 5000 },
  );
});

test('a division is within one step of the exact quotient on the side it names', () => {
  const anyScale = fc.integer({ min: 0, max: 24 });
  fc.assert(
    fc.property(anyDecimal, anyDecimal, anyScale, anyRounding, (left, right, scale, rounding) => {
      fc.pre(!isZero(right));
      const [a, b] = fractionOf(left);
      const [c, d] = fractionOf(right);
      const quotient = divideToScale(left, right, scale, rounding);
      assertRounded(quotient, [a * d, b * c], scale, rounding);
    }),
    { numRuns: 5000 },
  );
  assert.throws(() => divideToScale(ONE, ZERO, 2, 'up'), /zero/);
});

const roundings: [string, string, string, string][] = [
  ['2.5', '3', '2', '2'],
  ['3.5', '4', '3', '4'],
  ['-2.5', '-2', '-3', '-2'],
  ['-3.5', '-3', '-4', '-4'],
  ['0.5', '1', '0', '0'],
  ['-0.5', '0', '-1', '0'],
  ['2.500000000000000001', '3', '2', '3'],
  ['7', '7', '7', '7'],
];
for (const [text, up, down, halfEven] of roundings) {
  test(`${text} rounds up to ${up}, down to ${down}, half-even to ${halfEven}`, () => {
    const rounded = (['up', 'down', 'half-even'] as const).map((rounding) =>
      decimalToText(roundDecimal(parseDecimal(text), 0, rounding)),
    );
    assert.deepEqual(rounded, [up, down, halfEven]);
  });
}

test('units and decimals convert without loss, and excess digits are refused', () => {
  const anyUnits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(anyUnits, fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const decimal = decimalFromUnits(units, decimals);
      assert.equal(unitsFromDecimal(decimal, decimals), units);
      assert.ok(isSame(fractionOf(decimal), [units, 10n ** BigInt(decimals)]));
    }),
    runs,
  );
  assert.equal(unitsFromDecimal(parseDecimal('0.001'), 2), undefined);
  assert.equal(unitsFromDecimal(parseDecimal('0.0100'), 2), 1n);
});
