// Exact amounts as texts. Nothing here is a floating-point number, and every division names its
// rounding.

export type Decimal = { readonly units: bigint; readonly digits: number };

/** @throws RangeError when the text is no plain decimal. */
export function readDecimal(text: string): Decimal {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`"${text}" is no decimal`);
  return { units: BigInt(`${sign}${whole}${part}`), digits: part.length };
}

/** Without zeros at the end, as the service writes amounts. */
export function writeDecimal({ units, digits }: Decimal): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const part = text.slice(text.length - digits).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return part === '' ? `${sign}${whole}` : `${sign}${whole}.${part}`;
}

/** 19.90 and 19.9 are the same amount. */
export function isSameAmount(one: string, other: string): boolean {
  return compare(one, other) === 0;
}

/** Below, at or above zero as `one` is less than, the same as, or more than `other`. */
export function compare(one: string, other: string): number {
  const [a, b] = inSameDigits(readDecimal(one), readDecimal(other));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function subtract(from: string, what: string): string {
  const [a, b, digits] = inSameDigits(readDecimal(from), readDecimal(what));
  return writeDecimal({ units: a - b, digits });
}

/** Halves go away from zero, as the total of a charge is rounded. */
export function roundHalfUp(text: string, digits: number): string {
  const { units, digits: given } = readDecimal(text);
  if (given <= digits) return writeDecimal({ units, digits: given });
  const step = 10n ** BigInt(given - digits);
  const size = units < 0n ? -units : units;
  const rounded = (size * 2n + step) / (step * 2n);
  return writeDecimal({ units: units < 0n ? -rounded : rounded, digits });
}

/** `part` of `whole`, taken of `base`: rounded down to `digits`, so that shares never exceed it. */
export function shareDown(base: string, part: string, whole: string, digits: number): string {
  const [of, p, w] = [readDecimal(base), readDecimal(part), readDecimal(whole)];
  if (of.units < 0n || p.units < 0n || w.units <= 0n)
    throw new RangeError('a share of less than 0');
  const numerator = of.units * p.units * 10n ** BigInt(w.digits + digits);
  const denominator = w.units * 10n ** BigInt(of.digits + p.digits);
  return writeDecimal({ units: numerator / denominator, digits });
}

function inSameDigits(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const digits = Math.max(a.digits, b.digits);
  const raise = ({ units, digits: own }: Decimal) => units * 10n ** BigInt(digits - own);
  return [raise(a), raise(b), digits];
}
