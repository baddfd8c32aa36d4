// The total of a charge (service.md, POST /checkout, rule 1; invariant S9):
//   net = sum(line items) - sum(discounts) + sum(shipping costs)
//   taxableSum = net - sum(shipping costs) + sum(taxable shipping costs)
//   total = net + taxableSum * sum(tax percents)
// Guarantees: exact until the end; the total alone is rounded, once, to the decimals of the billing
// currency. It goes to the nearest unit, halves up: this is what shop software does with the same
// formula, and the checkout must ask for what the cart showed. "The customer's amount rounds up"
// (docs/money.md) is about conversion into the payment asset, which starts from this total. The
// reasons are in docs/decisions/0004-total-rounds-half-up.md. The parts stay exact, so that the
// exact total is always netTotal + taxTotal. Whatever the formula allows is allowed: negative
// lines, discounts above the lines, taxes of more than the net; only the total must be above zero.
import { Refusal } from '#base/refusal.ts';
import { getCurrency } from '#catalog/currency.ts';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  multiply,
  roundDecimal,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { faultAt } from '#money/exact-schema.ts';
import type { Charge } from './charge.ts';

export type ChargeTotal = {
  /** What the customer is charged, in the billing currency, above zero. */
  readonly total: Decimal;
  /** Decimals of the billing currency, to which `total` is rounded. */
  readonly decimals: number;
  /** Net of the formula: with discounts and shipping, without taxes. Exact. */
  readonly netTotal: Decimal;
  readonly taxTotal: Decimal;
  readonly discountTotal: Decimal;
  readonly shippingTotal: Decimal;
};

const totalMax = createDecimal(10n ** 18n, 0);

/** @throws Refusal `validation_failed` naming every fault of `findTotalFaults`. */
export function chargeTotal(charge: Charge): ChargeTotal {
  const { total, faults } = addUp(charge);
  if (faults.length > 0) throw new Refusal('invalid', 'validation_failed', faults);
  return total;
}

/** What is wrong with a charge whose every field is right (threat F8). */
export function findTotalFaults(charge: Charge): string[] {
  return addUp(charge).faults;
}

function addUp(charge: Charge): { total: ChargeTotal; faults: string[] } {
  const { decimals } = getCurrency(charge.billingCurrency);
  const itemTotal = sum(charge.lineItems.map((i) => multiply(i.quantity, i.netAmount)));
  const discountTotal = sum(charge.discountItems.map((item) => item.netAmount));
  const shippingTotal = sum(charge.shippingCostItems.map((item) => item.netAmount));
  const taxableShipping = charge.shippingCostItems.filter((item) => item.taxable);
  const percentTotal = sum(charge.taxItems.map((item) => item.percent));

  const goods = subtract(itemTotal, discountTotal);
  const netTotal = add(goods, shippingTotal);
  const taxableSum = add(goods, sum(taxableShipping.map((item) => item.netAmount)));
  const taxTotal = multiply(taxableSum, percentTotal);
  const total = roundTotal(add(netTotal, taxTotal), decimals);

  const faults: string[] = [];
  const isBelow = (value: Decimal, bound: Decimal) => compare(value, bound) < 0;
  if (!isBelow(ZERO, total)) {
    faults.push(faultAt(['charge'], `the total is ${decimalToText(total)}, it must be above 0`));
  } else if (!isBelow(total, totalMax)) {
    faults.push(faultAt(['charge'], 'the total must have at most 18 digits before the point'));
  }
  const parts = { netTotal, taxTotal, discountTotal, shippingTotal };
  return { total: { total, decimals, ...parts }, faults };
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(add, ZERO);
}

/** To the nearest unit of the currency; exactly half a unit goes up (towards more). */
export function roundTotal(value: Decimal, decimals: number): Decimal {
  const half = createDecimal(5n, decimals + 1);
  const shifted = add(value, half);
  return roundDecimal(shifted, decimals, 'down');
}
