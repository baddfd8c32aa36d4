// The least that an order of the house is to bring at a market. Pure.
import { getAsset } from '#catalog/asset.ts';
import { type Decimal, decimalFromUnits, multiply, roundDecimal } from '#money/decimal.ts';

/**
 * In units of what is bought, rounded up: never below the price. `price`: so much of what is bought
 * for one of what is sold, in whole coins. At least one unit.
 */
export function leastUnits(
  giveAssetId: string,
  giveUnits: bigint,
  getAssetId: string,
  price: Decimal,
): bigint {
  const { decimals } = getAsset(getAssetId);
  const sold = decimalFromUnits(giveUnits, getAsset(giveAssetId).decimals);
  const { coefficient, scale } = roundDecimal(multiply(sold, price), decimals, 'up');
  const units = coefficient * 10n ** BigInt(decimals - scale);
  return units > 0n ? units : 1n;
}
