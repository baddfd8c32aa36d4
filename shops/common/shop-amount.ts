// What a shop asks for, from the way in which its program keeps amounts.
import { roundHalfUp, writeDecimal } from './decimal.ts';

/** Digits after the point of ISO 4217: 0 of JPY, 2 of EUR, 3 of BHD. */
export function currencyDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** A decimal text, rounded as the service rounds a total. */
export function amountOfText(text: string, currency: string): string {
  return roundHalfUp(text, currencyDigits(currency));
}

/**
 * Whole units of `precision` digits, whatever the currency: 199000 with two digits are 1990 JPY.
 * @throws RangeError when it is no whole number that a double holds exactly.
 */
export function amountOfUnits(units: number, precision: number, currency: string): string {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is no amount in whole units`);
  const text = writeDecimal({ units: BigInt(units), digits: precision });
  return amountOfText(text, currency);
}
