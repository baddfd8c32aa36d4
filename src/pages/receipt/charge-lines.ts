// The lines of a bill. Each tax is rounded for display, as on the page to pay from: the total is
// rounded once, from the exact sum.
import type { Charge } from '#checkout/charge.ts';
import { compare, type Decimal, negate, ONE, roundDecimal } from '#money/decimal.ts';
import { moneyText, numberText, percentText } from '#pages/display.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { PaperLine } from './paper.ts';

/** Nothing of a charge that cannot be read: the total is known all the same. */
export function chargeLines(
  charge: Charge | undefined,
  { code, texts }: PageLanguage,
): PaperLine[] {
  if (charge === undefined) return [];
  const money = (amount: Decimal) => moneyText(amount, charge.billingCurrency, code);
  return [
    ...charge.lineItems.map(({ description, netAmount, quantity, amount }) => ({
      kind: undefined,
      description,
      detail:
        compare(quantity, ONE) === 0
          ? undefined
          : `${numberText(quantity, code)} × ${money(netAmount)}`,
      amount: money(amount),
    })),
    ...charge.discountItems.map(({ description, netAmount }) => ({
      kind: texts.summary.discount,
      description,
      detail: undefined,
      amount: money(negate(netAmount)),
    })),
    ...charge.shippingCostItems.map(({ description, netAmount }) => ({
      kind: texts.summary.shipping,
      description,
      detail: undefined,
      amount: money(netAmount),
    })),
    ...charge.taxItems.map(({ name, percent, amount }) => ({
      kind: undefined,
      description: name,
      detail: percentText(percent, code),
      amount: money(roundDecimal(amount, charge.decimals, 'half-even')),
    })),
  ];
}
