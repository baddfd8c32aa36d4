// Amounts of one asset in units (its smallest part: satoshi, wei), and their text in whole coins.
import {
  decimalFromUnits,
  decimalToText,
  tryParseWideDecimal,
  unitsFromDecimal,
} from './decimal.ts';

export type AssetAmount = { readonly assetId: string; readonly units: bigint };

/** The columns are numeric(78,0), which holds every uint256. */
export const UNITS_MAX: bigint = 10n ** 78n - 1n;

/** Whole coins in plain notation, all digits that count and no trailing zeros; '0' for zero. */
export function amountToText(units: bigint, decimals: number): string {
  return decimalToText(decimalFromUnits(units, decimals));
}

/**
 * Units of an amount in whole coins. Undefined when the text is no number, is negative, has more
 * digits after the point than the asset, or exceeds UNITS_MAX.
 */
export function amountFromText(text: string, decimals: number): bigint | undefined {
  const decimal = tryParseWideDecimal(text);
  const units = decimal && unitsFromDecimal(decimal, decimals);
  return units === undefined || units < 0n || units > UNITS_MAX ? undefined : units;
}
