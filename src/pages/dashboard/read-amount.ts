// An amount as somebody typed it: exact, and never a thousand times what he meant.
//
// Guarantees: the sign that separates decimals is a point, or that of the language; what could be a
// separator of thousands there (1,000 in English, 1.000 in German) is not taken as either.

import type { LanguageCode } from '#catalog/language.ts';
import { type Decimal, isZero, tryParseDecimal } from '#money/decimal.ts';

/** Undefined for what is no amount above zero, or could be meant in two ways. */
export function readAmount(typed: string, language: LanguageCode): Decimal | undefined {
  const text = typed.trim();
  const [, whole, sign, fraction] = /^(\d+)(?:([.,])(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const mayBeThousands =
    sign !== decimalSign(language) && fraction?.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (mayBeThousands) return undefined;
  const amount = tryParseDecimal(fraction === undefined ? whole : `${whole}.${fraction}`);
  return amount === undefined || isZero(amount) ? undefined : amount;
}

export function decimalSign(language: LanguageCode): string {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
