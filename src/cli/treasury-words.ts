// Words that several commands of the treasury read.
import { Refusal } from '#base/refusal.ts';
import { findAsset, getAsset } from '#catalog/asset.ts';
import { amountFromText } from '#money/asset-amount.ts';

/** @throws Refusal */
export function assetOf(text: string, what = 'ASSET'): string {
  if (findAsset(text) !== undefined) return text;
  throw new Refusal('invalid', 'usage', [`${what}: must be an asset such as BTC:NATIVE`]);
}

/** Above zero. @throws Refusal */
export function someUnits(text: string, assetId: string, what = 'AMOUNT'): bigint {
  const { decimals } = getAsset(assetId);
  const units = amountFromText(text, decimals);
  if (units !== undefined && units > 0n) return units;
  throw new Refusal('invalid', 'usage', [
    `${what}: must be an amount of ${assetId} above zero, with at most ${decimals} decimals`,
  ]);
}

/** @throws Refusal */
export function providerName(text = ''): string {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(text)) return text;
  throw new Refusal('invalid', 'usage', [
    'the provider: a name in small letters, digits and dashes, such as kraken',
  ]);
}
