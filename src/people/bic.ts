import { isCountry } from './country.ts';

/** Business identifier code (ISO 9362) in capitals; undefined when it is none. */
export function canonicalBic(text: string): string | undefined {
  const bic = text.toUpperCase();
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)) return undefined;
  const country = bic.slice(4, 6);
  // Kosovo has banks, and no code of ISO 3166-1.
  return country === 'XK' || isCountry(country) ? bic : undefined;
}
