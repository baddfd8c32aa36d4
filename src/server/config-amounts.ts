// Settings that are amounts: digits only, exact, a fault for anything else.

import { type Decimal, isZero, parseDecimal } from '#money/decimal.ts';

export function partsPerMillion(name: string, value: string, faults: string[]): number {
  const match = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(value);
  if (match === null) {
    faults.push(`${name}: must be a percentage with at most four digits after the point`);
    return 0;
  }
  return Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'));
}

export function dollars(name: string, value: string, faults: string[]): Decimal | undefined {
  if (value === 'off') return undefined;
  if (/^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/.test(value)) return parseDecimal(value);
  faults.push(`${name}: must be an amount in US dollars, digits only, or off, not "${value}"`);
  return undefined;
}

/** Nothing may be open: the same as none. */
export function exposureLimit(limit: Decimal | undefined): Decimal | undefined {
  return limit === undefined || isZero(limit) ? undefined : limit;
}
