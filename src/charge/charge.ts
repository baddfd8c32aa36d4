// What a merchant charges a customer: service.md, POST /checkout, `charge`, and the older layout's
// `charge.currency`. A charge is read and totalled once, here; whoever has one has its total.
//
// The total (rule 1; law S9):
//   net = sum(line items) - sum(discounts) + sum(shipping costs)
//   taxableSum = net - sum(shipping costs) + sum(taxable shipping costs)
//   total = net + taxableSum * sum(tax percents)
// Guarantees: numbers are exact decimals; the total alone is rounded, once, to the decimals of the
// billing currency, to the nearest unit, halves up. Shop software does the same with this formula,
// and the checkout must ask for what the cart showed. "The customer's amount rounds up"
// (docs/money.md) is about the conversion into the payment asset, which starts from this total. The
// reasons are in docs/decisions/0004-total-rounds-half-up.md. Whatever the formula allows is
// allowed: negative lines, discounts above the lines, taxes of more than the net. Only the total
// must be above zero.

import { z } from 'zod';
import { isId } from '#base/id.ts';
import { acceptedText } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';
import { findCurrency, getCurrency, listCurrencies } from '#catalog/currency.ts';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  isNegative,
  multiply,
  ONE,
  roundHalfUp,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { isJsonObject } from '#money/exact-json.ts';
import {
  checkShape,
  faultAt,
  fields,
  isGiven,
  numeric,
  omittable,
  textUpTo,
} from '#money/exact-schema.ts';

type LineItem = {
  readonly description: string;
  /** Net cost of one unit in the billing currency; below zero for what is given back. */
  readonly netAmount: Decimal;
  readonly quantity: Decimal;
  readonly productId: string | undefined;
  /** `quantity` times `netAmount`, exact. */
  readonly amount: Decimal;
};

type DiscountItem = { readonly description: string; readonly netAmount: Decimal };

type ShippingCostItem = {
  readonly description: string;
  readonly netAmount: Decimal;
  readonly taxable: boolean;
};

type TaxItem = {
  readonly name: string;
  /** In decimal notation: 8.25 percent is 0.0825. */
  readonly percent: Decimal;
  /** Of the taxable sum, exact. */
  readonly amount: Decimal;
  /** Its part of the total: the difference of two running totals, each rounded as the total is. */
  readonly charged: Decimal;
};

export type Charge = {
  readonly customerId: string | undefined;
  /** A code of GET /currencies with `billing`. */
  readonly billingCurrency: string;
  /** Decimals of the billing currency, to which the total is rounded. */
  readonly decimals: number;
  readonly lineItems: readonly LineItem[];
  readonly discountItems: readonly DiscountItem[];
  readonly shippingCostItems: readonly ShippingCostItem[];
  readonly taxItems: readonly TaxItem[];
  readonly discountTotal: Decimal;
  readonly shippingTotal: Decimal;
  /** With discounts and shipping, without taxes; `netTotal + taxTotal` is the exact total. */
  readonly netTotal: Decimal;
  readonly taxableTotal: Decimal;
  readonly taxTotal: Decimal;
  /** Rounded as the total is: with what is `charged` of each tax it sums to the total. */
  readonly netCharged: Decimal;
  /** What the customer is charged, in the billing currency, above zero. */
  readonly total: Decimal;
};

const DESCRIPTION_MAX = 200;
const PRODUCT_ID_MAX = 20;
const TAX_NAME_MAX = 200;
const CURRENCY_MAX = 100;
const LINE_ITEMS_MAX = 500;
const OTHER_ITEMS_MAX = 100;
const TOTAL_MAX = createDecimal(10n ** 18n, 0);

const notNegative = (value: Decimal) => (isNegative(value) ? 'must not be negative' : undefined);
const fraction = (value: Decimal) =>
  isNegative(value) || compare(value, ONE) > 0
    ? 'must be from 0 to 1: 8.25 percent is written as 0.0825'
    : undefined;

function list<Schema extends z.ZodType>(schema: Schema) {
  return omittable(z.array(schema).max(OTHER_ITEMS_MAX)).transform((items) => items ?? []);
}

const currencyCode = textUpTo(CURRENCY_MAX).superRefine((code, context) => {
  if (billingCurrencyOf(code) === undefined) {
    const codes = listCurrencies().filter(({ billing }) => billing);
    const accepted = acceptedText(
      code,
      codes.map(({ assetCode }) => assetCode),
      'GET /currencies',
    );
    const message = `is not a billing currency of GET /currencies; ${accepted}`;
    context.addIssue({ code: 'custom', message });
  }
});

export const chargeSchema = fields({
  customerId: omittable(z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9')),
  billingCurrency: omittable(currencyCode),
  currency: omittable(currencyCode),
  lineItems: z
    .array(
      fields({
        description: textUpTo(DESCRIPTION_MAX),
        netAmount: numeric(),
        quantity: omittable(numeric(notNegative)).transform((quantity) => quantity ?? ONE),
        productId: omittable(textUpTo(PRODUCT_ID_MAX)),
      }).meta({ id: 'LineItem' }),
    )
    .min(1)
    .max(LINE_ITEMS_MAX),
  discountItems: list(
    fields({ description: textUpTo(DESCRIPTION_MAX), netAmount: numeric() }).meta({
      id: 'DiscountItem',
    }),
  ),
  shippingCostItems: list(
    fields({
      description: textUpTo(DESCRIPTION_MAX),
      netAmount: numeric(),
      taxable: omittable(z.boolean()).transform((taxable) => taxable ?? false),
    }).meta({ id: 'ShippingCostItem' }),
  ),
  taxItems: list(
    fields({ name: textUpTo(TAX_NAME_MAX), percent: numeric(fraction) }).meta({ id: 'TaxItem' }),
  ),
}).meta({ id: 'Charge' });

/** The charge, or undefined after adding one sentence a fault to `faults`. */
export function readCharge(value: unknown, faults: string[]): Charge | undefined {
  const path = ['charge'];
  const before = faults.length;
  const shaped = checkShape(chargeSchema, value, faults, path);
  const given = currenciesGiven(value);
  const [first, second] = given;
  if (first === undefined && isJsonObject(value)) {
    faults.push(faultAt([...path, 'billingCurrency'], 'is required'));
  }
  const code = first === undefined ? undefined : billingCurrencyOf(first);
  if (second !== undefined && billingCurrencyOf(second) !== code) {
    faults.push(faultAt([...path, 'currency'], 'differs from charge.billingCurrency'));
  }
  if (shaped === undefined || code === undefined || faults.length > before) return undefined;
  const { currency: _, ...items } = shaped;
  const charge = addUp({ ...items, billingCurrency: code });
  const fault = faultOfTotal(charge);
  if (fault !== undefined) faults.push(faultAt(path, fault));
  return fault === undefined ? charge : undefined;
}

type Items = Omit<z.output<typeof chargeSchema>, 'currency' | 'billingCurrency'> & {
  readonly billingCurrency: string;
};

function addUp(items: Items): Charge {
  const { decimals } = getCurrency(items.billingCurrency);
  const lineItems = items.lineItems.map((item) => {
    return { ...item, amount: multiply(item.quantity, item.netAmount) };
  });
  const discountTotal = sumOf(items.discountItems.map(({ netAmount }) => netAmount));
  const shippingTotal = sumOf(items.shippingCostItems.map(({ netAmount }) => netAmount));
  const taxableShipping = items.shippingCostItems.filter(({ taxable }) => taxable);
  const goods = subtract(sumOf(lineItems.map(({ amount }) => amount)), discountTotal);
  const netTotal = add(goods, shippingTotal);
  const taxableTotal = add(goods, sumOf(taxableShipping.map(({ netAmount }) => netAmount)));

  const netCharged = roundHalfUp(netTotal, decimals);
  let running = netTotal;
  let total = netCharged;
  const taxItems = items.taxItems.map((tax) => {
    const amount = multiply(taxableTotal, tax.percent);
    running = add(running, amount);
    const before = total;
    total = roundHalfUp(running, decimals);
    return { ...tax, amount, charged: subtract(total, before) };
  });
  const taxTotal = subtract(running, netTotal);
  const totals = { discountTotal, shippingTotal, netTotal, taxableTotal, taxTotal };
  return { ...items, lineItems, taxItems, decimals, ...totals, netCharged, total };
}

function sumOf(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(add, ZERO);
}

/** What is wrong with a charge whose every field is right (threat F8). */
function faultOfTotal({ total }: Charge): string | undefined {
  if (compare(total, ZERO) <= 0) return `the total is ${decimalToText(total)}, it must be above 0`;
  const isTooLong = compare(total, TOTAL_MAX) >= 0;
  return isTooLong ? 'the total must have at most 18 digits before the point' : undefined;
}

/** Read even when the rest of the charge is wrong. The current field goes before the older one. */
function currenciesGiven(value: unknown): unknown[] {
  if (!isJsonObject(value)) return [];
  return [value.billingCurrency, value.currency].filter(isGiven);
}

/** The older layout also names a currency by an asset id (`BTC:NATIVE`). */
function billingCurrencyOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const code = findAsset(given)?.assetCode ?? given;
  return findCurrency(code)?.billing ? code : undefined;
}
