// The value of amounts in US dollars, to choose how deep a payment must be buried.

import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { add, type Decimal, decimalFromUnits, multiply, ZERO } from '#money/decimal.ts';
import type { RateBook } from './rate-book.ts';

/**
 * Undefined when any of them has no price: the caller then takes the highest tier (fail closed).
 */
export function usdValue(
  book: RateBook,
  environment: Environment,
  amounts: readonly AssetAmount[],
  now: Temporal.Instant,
): Decimal | undefined {
  let sum = ZERO;
  for (const { assetId, units } of amounts) {
    const asset = getAsset(assetId);
    const price = book.price(environment, asset.assetCode, now);
    if (price === undefined) return undefined;
    sum = add(sum, multiply(decimalFromUnits(units, asset.decimals), price.usdPrice));
  }
  return sum;
}
