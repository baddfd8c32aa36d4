// A rate is an exact ratio of integers, target units per source unit, in lowest terms. It is never
// a decimal, because a third has none; only `convertUnits` rounds, and it is told how.
import { assert } from '#base/assert.ts';
import { createDecimal, type Decimal, decimalToText } from './decimal.ts';
import { divideUnits, powerOfTen, type Rounding } from './rounding.ts';

export { divideUnits } from './rounding.ts';

export type Rate = { readonly numerator: bigint; readonly denominator: bigint };

/** One for one. */
export const EQUAL: Rate = Object.freeze({ numerator: 1n, denominator: 1n });

/** Both above zero; brought to lowest terms, so that equal rates are equal data. */
export function createRate(numerator: bigint, denominator: bigint): Rate {
  // The text alone takes longer than the rest of this.
  if (numerator <= 0n || denominator <= 0n)
    assert(false, `not a rate: ${numerator}/${denominator}`);
  if (numerator === denominator) return EQUAL;
  const divisor = greatestCommonDivisor(numerator, denominator);
  return Object.freeze({ numerator: numerator / divisor, denominator: denominator / divisor });
}

/**
 * Prices of one whole coin of each asset in the same currency, above zero, and the decimals of each
 * asset. With 0 for both decimals it is the rate between whole coins, for display.
 */
export function rateFromPrices(
  sourcePrice: Decimal,
  sourceDecimals: number,
  targetPrice: Decimal,
  targetDecimals: number,
): Rate {
  return createRate(
    sourcePrice.coefficient * powerOfTen(targetPrice.scale + targetDecimals),
    targetPrice.coefficient * powerOfTen(sourcePrice.scale + sourceDecimals),
  );
}

/** Source units to target units. */
export function convertUnits(units: bigint, rate: Rate, rounding: Rounding): bigint {
  return divideUnits(units * rate.numerator, rate.denominator, rounding);
}

/** Plain notation, rounded half-even to so many significant digits: for display, not to compute. */
export function rateToText({ numerator, denominator }: Rate, significantDigits: number): string {
  assert(significantDigits >= 1, 'a rate has one significant digit at least');
  // Position of the first digit that counts: 10^exponent ≤ rate < 10^(exponent + 1).
  let exponent = numerator.toString().length - denominator.toString().length;
  const isBelow =
    numerator * powerOfTen(Math.max(0, -exponent)) <
    denominator * powerOfTen(Math.max(0, exponent));
  if (isBelow) exponent -= 1;
  const scale = significantDigits - 1 - exponent;
  if (scale >= 0) {
    const coefficient = divideUnits(numerator * powerOfTen(scale), denominator, 'half-even');
    return decimalToText(createDecimal(coefficient, scale));
  }
  const step = powerOfTen(-scale);
  const rounded = divideUnits(numerator, denominator * step, 'half-even') * step;
  return decimalToText(createDecimal(rounded, 0));
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
