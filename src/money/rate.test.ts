import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailure } from '#base/assert.ts';
import { amountFromText, amountToText } from './asset-amount.ts';
import { createDecimal, parseDecimal } from './decimal.ts';
import {
  convertUnits,
  createRate,
  divideUnits,
  type Rate,
  rateFromPrices,
  rateToText,
} from './rate.ts';
import { powerOfTen } from './rounding.ts';

const inverse = ({ numerator, denominator }: Rate) => createRate(denominator, numerator);
const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 30n });
const anySignedUnits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const anyRate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.bigInt({ min: 1n, max: 10n ** 24n }))
  .map(([numerator, denominator]) => createRate(numerator, denominator));
const anyDivisor = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }).filter((divisor) => divisor !== 0n),
  fc.bigInt({ min: 1n, max: 10n ** 20n }),
);

test('up and down bracket the exact quotient and half-even is the nearest', () => {
  fc.assert(
    fc.property(anySignedUnits, anyDivisor, (dividend, divisor) => {
      const exact = divisor < 0n ? -dividend : dividend;
      const size = divisor < 0n ? -divisor : divisor;
      const up = divideUnits(dividend, divisor, 'up');
      const down = divideUnits(dividend, divisor, 'down');
      const nearest = divideUnits(dividend, divisor, 'half-even');
      assert.ok(down * size <= exact && exact <= up * size);
      assert.equal(up - down, exact % size === 0n ? 0n : 1n);
      const [below, above] = [exact - down * size, up * size - exact];
      if (below === above) assert.ok(nearest === up || nearest === down);
      if (below === above && up !== down) assert.equal(nearest % 2n, 0n);
      if (below !== above) assert.equal(nearest, below < above ? down : up);
    }),
    { numRuns: 8000 },
  );
});

test('a division by zero is a bug of ours, and says so', () => {
  for (const rounding of ['up', 'down', 'half-even'] as const) {
    assert.throws(() => divideUnits(1n, 0n, rounding), new AssertionFailure('division by zero'));
  }
});

test('a power of ten has a whole exponent of zero or more', () => {
  assert.deepEqual([0, 1, 18].map(powerOfTen), [1n, 10n, 10n ** 18n]);
  for (const exponent of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(
      () => powerOfTen(exponent),
      new AssertionFailure(`not a power of ten: ${exponent}`),
    );
  }
});

test('ties go to the even neighbour', () => {
  const halves = [-5n, -3n, -1n, 1n, 3n, 5n].map((half) => divideUnits(half, 2n, 'half-even'));
  assert.deepEqual(halves, [-2n, -2n, 0n, 0n, 2n, 2n]);
});

test('a payment split into parts never converts to more than the whole, rounding down', () => {
  const anyParts = fc.array(anyUnits, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(anyParts, anyRate, (parts, rate) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n);
      const sum = (rounding: 'up' | 'down') =>
        parts.reduce((total, part) => total + convertUnits(part, rate, rounding), 0n);
      assert.ok(sum('down') <= convertUnits(whole, rate, 'down'));
      assert.ok(sum('up') >= convertUnits(whole, rate, 'up'));
      const slack = BigInt(parts.length);
      assert.ok(sum('up') - sum('down') <= slack);
    }),
    { numRuns: 5000 },
  );
});

test('a conversion there and back never gains, rounding down', () => {
  fc.assert(
    fc.property(anyUnits, anyRate, (units, rate) => {
      const there = convertUnits(units, rate, 'down');
      assert.ok(convertUnits(there, inverse(rate), 'down') <= units);
      const asked = convertUnits(units, rate, 'up');
      assert.ok(convertUnits(asked, inverse(rate), 'down') >= units);
      assert.deepEqual(inverse(inverse(rate)), rate);
    }),
    { numRuns: 4000 },
  );
});

test('a rate from prices is the exact ratio of what one unit of each is worth', () => {
  const anyPrice = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 36n }), fc.integer({ min: 0, max: 18 }))
    .map(([coefficient, scale]) => createDecimal(coefficient, scale));
  const anyDecimals = fc.integer({ min: 0, max: 18 });
  fc.assert(
    fc.property(anyPrice, anyDecimals, anyPrice, anyDecimals, (source, from, target, to) => {
      const rate = rateFromPrices(source, from, target, to);
      // Worth of a unit: coefficient / 10^(scale + decimals); rate = worth(source) / worth(target).
      const sourceBelow = 10n ** BigInt(source.scale + from);
      const targetBelow = 10n ** BigInt(target.scale + to);
      assert.equal(
        rate.numerator * target.coefficient * sourceBelow,
        rate.denominator * source.coefficient * targetBelow,
      );
      assert.deepEqual(inverse(rate), rateFromPrices(target, to, source, from));
    }),
    { numRuns: 3000 },
  );
});

test('100 EUR (2 decimals) at 1 EUR and 50,000 EUR a bitcoin (8 decimals) is 0.002 bitcoin', () => {
  const rate = rateFromPrices(parseDecimal('1'), 2, parseDecimal('50000'), 8);
  assert.deepEqual(rate, { numerator: 20n, denominator: 1n });
  assert.equal(convertUnits(10_000n, rate, 'up'), 200_000n);
  const third = rateFromPrices(parseDecimal('1'), 2, parseDecimal('3'), 0);
  assert.equal(convertUnits(100n, third, 'up'), 1n);
  assert.equal(convertUnits(100n, third, 'down'), 0n);
});

test('a price of zero or below makes no rate', () => {
  const one = parseDecimal('1');
  for (const price of ['0', '-1']) {
    assert.throws(() => rateFromPrices(one, 2, parseDecimal(price), 8), /not a rate/);
    assert.throws(() => rateFromPrices(parseDecimal(price), 2, one, 8), /not a rate/);
  }
});

const rateTexts: [bigint, bigint, number, string][] = [
  [1n, 3n, 5, '0.33333'],
  [2n, 3n, 5, '0.66667'],
  [200_000n, 3n, 3, '66700'],
  [1n, 1000n, 4, '0.001'],
  [9999n, 10n, 3, '1000'],
  [99_999n, 100_000n, 2, '1'],
  [10n, 1n, 1, '10'],
  [1n, 10n, 1, '0.1'],
  [123_456n, 1n, 8, '123456'],
  [25n, 100n, 1, '0.2'],
  [999n, 1000n, 3, '0.999'],
  [1000n, 999n, 3, '1'],
];
for (const [numerator, denominator, digits, text] of rateTexts) {
  test(`${numerator}/${denominator} to ${digits} significant digits is ${text}`, () => {
    assert.equal(rateToText(createRate(numerator, denominator), digits), text);
  });
}

test('a rate text is within half a step of its last digit', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 1, max: 12 }), (rate, digits) => {
      const [integer = '', fraction = ''] = rateToText(rate, digits).split('.');
      const [above, below] = [BigInt(integer + fraction), 10n ** BigInt(fraction.length)];
      const error = above * rate.denominator - rate.numerator * below;
      const size = error < 0n ? -error : error;
      // |text - rate| / rate ≤ 0.5 · 10^(1 - digits)
      assert.ok(2n * size * 10n ** BigInt(digits - 1) <= rate.numerator * below);
      assert.ok(
        BigInt(integer + fraction)
          .toString()
          .replace(/0+$/, '').length <= digits,
      );
    }),
    { numRuns: 3000 },
  );
});

test('an amount printed reads back as the same units', () => {
  const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 78n - 1n });
  fc.assert(
    fc.property(anyAmount, fc.integer({ min: 0, max: 24 }), (units, decimals) => {
      const text = amountToText(units, decimals);
      assert.match(text, /^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      assert.equal(amountFromText(text, decimals), units);
    }),
    { numRuns: 3000 },
  );
});

test('amounts print without trailing zeros and read only what fits the asset', () => {
  assert.equal(amountToText(0n, 8), '0');
  assert.equal(amountToText(150_000n, 8), '0.0015');
  assert.equal(amountToText(-1n, 8), '-0.00000001');
  assert.equal(amountToText(300n, 0), '300');
  assert.equal(amountFromText('0.001500', 8), 150_000n);
  assert.equal(amountFromText('1e-8', 8), 1n);
  for (const text of ['0.000000001', '-1', '-0.1', '', 'x', '1.', '1,0', `1${'0'.repeat(71)}`]) {
    assert.equal(amountFromText(text, 8), undefined, text);
  }
});
