// What a whole coin costs where so many units pay the whole charge: on pages, receipts and PDFs the
// same, with so many digits that the price times the coins is the total again, to its last digit.
import { getAsset } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { decimalFromUnits, decimalToText, divideToScale } from '#money/decimal.ts';
import { moneyText } from './display.ts';
import type { PageLanguage } from './languages/texts.ts';

export function coinPriceText(
  { total, billingCurrency }: Pick<CheckoutRecord, 'total' | 'billingCurrency'>,
  { assetId, units }: { readonly assetId: string; readonly units: bigint },
  { code }: Pick<PageLanguage, 'code'>,
): string {
  const coins = decimalFromUnits(units, getAsset(assetId).decimals);
  const [whole = ''] = decimalToText(coins).split('.');
  const scale = getCurrency(billingCurrency).decimals + whole.length;
  return moneyText(divideToScale(total, coins, scale, 'half-even'), billingCurrency, code);
}
