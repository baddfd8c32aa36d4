// An amount as somebody types it, in whichever of our languages. Pure.
//
// A point and a comma both stand before a fraction, and nothing stands between thousands: `1,000`
// is a thousand to some and one to others, so it is refused and never guessed.

import { type Decimal, tryParseDecimal } from '#money/decimal.ts';

const TYPED = /^(\d{1,18})(?:([.,])(\d{1,18}))?$/;
const THOUSANDS_LENGTH = 3;

/** `decimals`: most digits of a fraction. Undefined for what is no such amount. */
export function readTypedAmount(typed: string, decimals: number): Decimal | undefined {
  const [, whole = '', mark, fraction = ''] = TYPED.exec(typed.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return undefined;
  if (mark === ',' && fraction.length === THOUSANDS_LENGTH) return undefined;
  return tryParseDecimal(fraction === '' ? whole : `${whole}.${fraction}`);
}
