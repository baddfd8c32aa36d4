// Amounts of assets as a reader of a language writes them.
import { shownAsset } from '#catalog/asset.ts';
import { decimalFromUnits, parseDecimal } from '#money/decimal.ts';
import { numberText } from './display.ts';
import type { PageLanguage } from './languages/texts.ts';

type Language = Pick<PageLanguage, 'code'>;

export function assetText(
  network: string,
  assetId: string,
  units: bigint,
  { code }: Language,
): string {
  const { assetCode, decimals } = shownAsset(network, assetId);
  return `${numberText(decimalFromUnits(units, decimals), code)}\u00a0${assetCode}`;
}

/** `amount`: with a dot, as it is stored and sent. */
export function amountIn(amount: string, assetCode: string, { code }: Language): string {
  return `${numberText(parseDecimal(amount), code)}\u00a0${assetCode}`;
}
