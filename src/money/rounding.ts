// Every division of money names its rounding; there is no default (money.md). What the customer
// pays rounds up, what the merchant is credited rounds down.
import { assert } from '#base/assert.ts';

/**
 * 'up' is towards positive and 'down' towards negative infinity, for negative values too, so that
 * down ≤ exact ≤ up always holds; 'half-even' is to the nearest, a tie to the even neighbour.
 */
export type Rounding = 'up' | 'down' | 'half-even';

/** dividend / divisor as an integer. The divisor may be negative, not zero. */
export function divideUnits(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  assert(divisor !== 0n, 'division by zero');
  const above = divisor < 0n ? -dividend : dividend;
  const below = divisor < 0n ? -divisor : divisor;
  const quotient = above / below;
  // Division truncates: of what is not negative nothing else is to be known.
  if (rounding === 'down' && above >= 0n) return quotient;
  const remainder = above % below;
  if (remainder === 0n) return quotient;
  // BigInt division truncates towards zero; from here on the remainder is positive.
  const floor = remainder < 0n ? quotient - 1n : quotient;
  if (rounding === 'down') return floor;
  if (rounding === 'up') return floor + 1n;
  const twice = 2n * (remainder < 0n ? remainder + below : remainder);
  if (twice === below) return floor % 2n === 0n ? floor : floor + 1n;
  return twice < below ? floor : floor + 1n;
}

/** As many as amounts and prices ask for. */
const POWERS = Array.from({ length: 100 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10 to the power of a non-negative integer. */
export function powerOfTen(exponent: number): bigint {
  const known = POWERS[exponent];
  if (known !== undefined) return known;
  assert(Number.isInteger(exponent) && exponent >= 0, `not a power of ten: ${exponent}`);
  return 10n ** BigInt(exponent);
}
