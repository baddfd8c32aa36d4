// Exact decimals for charges: value = coefficient / 10^scale. Guarantees: nothing but
// `roundDecimal` and `divideToScale` ever rounds, and equal values are equal data (normalised: no
// trailing zero in the fraction, scale ≥ 0, one zero). Not guaranteed: any bound on results; texts
// are bounded.
import { assert } from '#base/assert.ts';
import { divideUnits, powerOfTen, type Rounding } from './rounding.ts';

export type Decimal = { readonly coefficient: bigint; readonly scale: number };

/** Digits on each side of the point that a caller may give (money.md). */
const DIGITS_MAX = 18;
/** What numeric(78,0) holds; enough for any units of any asset. */
const WIDE_DIGITS_MAX = 78;

/** coefficient / 10^scale, normalised; the scale is an integer ≥ 0. */
export function createDecimal(coefficient: bigint, scale: number): Decimal {
  if (!Number.isInteger(scale) || scale < 0) assert(false, `not a scale: ${scale}`);
  let digits = coefficient;
  let places = scale;
  while (places > 0 && digits % 10n === 0n) {
    digits /= 10n;
    places -= 1;
  }
  return Object.freeze({ coefficient: digits, scale: places });
}

export const ZERO: Decimal = createDecimal(0n, 0);
export const ONE: Decimal = createDecimal(1n, 0);

/**
 * The number syntax of JSON (RFC 8259), exponent included. Undefined when the text is no such
 * number or its value needs more than 18 digits before or after the point; zeros that do not count,
 * as in 1.50 or 0e99, are not held against it.
 */
export function tryParseDecimal(text: string): Decimal | undefined {
  return parseWithin(text, DIGITS_MAX);
}

/** @throws RangeError where tryParseDecimal gives undefined. For constants and our own data. */
export function parseDecimal(text: string): Decimal {
  return requireDecimal(tryParseDecimal(text), DIGITS_MAX);
}

/** As parseDecimal with up to 78 digits on each side. Not for what a caller sends. */
export function parseWideDecimal(text: string): Decimal {
  return requireDecimal(tryParseWideDecimal(text), WIDE_DIGITS_MAX);
}

export function tryParseWideDecimal(text: string): Decimal | undefined {
  return parseWithin(text, WIDE_DIGITS_MAX);
}

function requireDecimal(decimal: Decimal | undefined, most: number): Decimal {
  if (decimal === undefined) {
    throw new RangeError(`not a decimal of at most ${most} digits before and after the point`);
  }
  return decimal;
}

const NUMBER_SYNTAX = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function parseWithin(text: string, most: number): Decimal | undefined {
  const match = NUMBER_SYNTAX.exec(text);
  // In JavaScript `$` without the m flag is the end of the text alone, so no line end slips in.
  if (match === null) return undefined;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match;
  const all = integer + fraction;
  // Loops, not /0+$/, whose backtracking is quadratic in a text the caller chooses.
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return ZERO;
  const digits = all.slice(start, end);
  // Only a count of places: an exponent beyond 2^53 loses digits here and is far out of range
  // anyway.
  const pointAt = integer.length - start + Number(exponent);
  const scale = Math.max(0, digits.length - pointAt);
  if (pointAt > most || scale > most) return undefined;
  const coefficient = BigInt(digits) * powerOfTen(Math.max(0, pointAt - digits.length));
  return Object.freeze({ coefficient: sign === '-' ? -coefficient : coefficient, scale });
}

/** Plain notation without exponent, trailing zeros or a sign on zero: '-12.5', '0.001', '300'. */
export function decimalToText({ coefficient, scale }: Decimal): string {
  const digits = (coefficient < 0n ? -coefficient : coefficient)
    .toString()
    .padStart(scale + 1, '0');
  const integer = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale);
  const sign = coefficient < 0n ? '-' : '';
  return fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`;
}

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return createDecimal(coefficientAt(left, scale) + coefficientAt(right, scale), scale);
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right));
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return createDecimal(left.coefficient * right.coefficient, left.scale + right.scale);
}

export function negate({ coefficient, scale }: Decimal): Decimal {
  return createDecimal(-coefficient, scale);
}

/** -1, 0 or 1, as for Array.sort. */
export function compare(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const scale = Math.max(left.scale, right.scale);
  const difference = coefficientAt(left, scale) - coefficientAt(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function isZero(decimal: Decimal): boolean {
  return decimal.coefficient === 0n;
}

/** Zero is not negative. */
export function isNegative(decimal: Decimal): boolean {
  return decimal.coefficient < 0n;
}

/** To at most `scale` digits after the point. */
export function roundDecimal(decimal: Decimal, scale: number, rounding: Rounding): Decimal {
  if (decimal.scale <= scale) return decimal;
  const divisor = powerOfTen(decimal.scale - scale);
  return createDecimal(divideUnits(decimal.coefficient, divisor, rounding), scale);
}

/** To the nearest; exactly half goes up (towards more). */
export function roundHalfUp(value: Decimal, scale: number): Decimal {
  return roundDecimal(add(value, createDecimal(5n, scale + 1)), scale, 'down');
}

/** dividend / divisor to at most `scale` digits after the point; the divisor is not zero. */
export function divideToScale(
  dividend: Decimal,
  divisor: Decimal,
  scale: number,
  rounding: Rounding,
): Decimal {
  const above = dividend.coefficient * powerOfTen(divisor.scale + scale);
  const below = divisor.coefficient * powerOfTen(dividend.scale);
  return createDecimal(divideUnits(above, below, rounding), scale);
}

/** Units of an asset with so many decimals as whole coins: 150000n with 8 is 0.0015. */
export function decimalFromUnits(units: bigint, decimals: number): Decimal {
  return createDecimal(units, decimals);
}

/** The inverse; undefined when the value has more digits after the point than the asset. */
export function unitsFromDecimal(decimal: Decimal, decimals: number): bigint | undefined {
  return decimal.scale > decimals ? undefined : coefficientAt(decimal, decimals);
}

function coefficientAt({ coefficient, scale }: Decimal, at: number): bigint {
  return coefficient * powerOfTen(at - scale);
}
