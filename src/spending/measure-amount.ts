// What an amount counts in what a limit counts: an asset, or the value of all assets in a currency.
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { convertUnits, rateFromPrices } from '#money/rate.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { isOfAllAssets } from './spending-limit.ts';

export type SpendingApp = { readonly rates: RateBook };

/** Rounded up; 0 of another asset; undefined when it cannot be valued. */
export function measureAmount(
  { rates }: SpendingApp,
  { measure: name, environment }: { readonly measure: string; readonly environment: Environment },
  { assetId, units }: AssetAmount,
  now: Temporal.Instant,
): bigint | undefined {
  if (name === assetId) return units;
  if (!isOfAllAssets({ measure: name })) return 0n;
  const { assetCode, decimals } = getAsset(assetId);
  if (assetCode === name) return rescale(units, decimals, getCurrency(name).decimals);
  const [price, target] = [assetCode, name].map((code) => rates.price(environment, code, now));
  if (price === undefined || target === undefined) return undefined;
  const { usdPrice } = target;
  const rate = rateFromPrices(price.usdPrice, decimals, usdPrice, getCurrency(name).decimals);
  return convertUnits(units, rate, 'up');
}

function rescale(units: bigint, from: number, to: number): bigint {
  return convertUnits(
    units,
    { numerator: 10n ** BigInt(to), denominator: 10n ** BigInt(from) },
    'up',
  );
}
