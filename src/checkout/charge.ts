// What a merchant charges a customer: service.md, POST /checkout, `charge`, and the older layout's
// `charge.currency`. Numbers are exact decimals from here on; nothing is rounded before the total.
import { z } from 'zod';
import { acceptedText } from '#base/accepted.ts';
import { isId } from '#base/id.ts';
import { findAsset } from '#catalog/asset.ts';
import { findCurrency, listCurrencies } from '#catalog/currency.ts';
import { compare, type Decimal, isNegative, ONE } from '#money/decimal.ts';
import {
  checkShape,
  faultAt,
  fields,
  isFields,
  isGiven,
  numeric,
  optional,
  text,
} from '#money/exact-schema.ts';

export type LineItem = {
  readonly description: string;
  /** Net cost of one unit in the billing currency; below zero for what is given back. */
  readonly netAmount: Decimal;
  readonly quantity: Decimal;
  readonly productId: string | undefined;
};

export type DiscountItem = { readonly description: string; readonly netAmount: Decimal };

export type ShippingCostItem = {
  readonly description: string;
  readonly netAmount: Decimal;
  readonly taxable: boolean;
};

/** `percent` in decimal notation: 8.25 percent is 0.0825. */
export type TaxItem = { readonly name: string; readonly percent: Decimal };

export type Charge = {
  readonly customerId: string | undefined;
  /** A code of GET /currencies with `billing`. */
  readonly billingCurrency: string;
  readonly lineItems: readonly LineItem[];
  readonly discountItems: readonly DiscountItem[];
  readonly shippingCostItems: readonly ShippingCostItem[];
  readonly taxItems: readonly TaxItem[];
};

const descriptionMax = 200;
const productIdMax = 20;
const taxNameMax = 200;
const currencyMax = 100;
const lineItemsMax = 500;
const otherItemsMax = 100;

const notNegative = (value: Decimal) => (isNegative(value) ? 'must not be negative' : undefined);
const fraction = (value: Decimal) =>
  isNegative(value) || compare(value, ONE) > 0
    ? 'must be from 0 to 1: 8.25 percent is written as 0.0825'
    : undefined;

function list<Schema extends z.ZodType>(schema: Schema) {
  return optional(z.array(schema).max(otherItemsMax)).transform((items) => items ?? []);
}

const currencyCode = text(currencyMax).superRefine((code, context) => {
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
  customerId: optional(z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9')),
  billingCurrency: optional(currencyCode),
  currency: optional(currencyCode),
  lineItems: z
    .array(
      fields({
        description: text(descriptionMax),
        netAmount: numeric(),
        quantity: optional(numeric(notNegative)).transform((quantity) => quantity ?? ONE),
        productId: optional(text(productIdMax)),
      }),
    )
    .min(1)
    .max(lineItemsMax),
  discountItems: list(fields({ description: text(descriptionMax), netAmount: numeric() })),
  shippingCostItems: list(
    fields({
      description: text(descriptionMax),
      netAmount: numeric(),
      taxable: optional(z.boolean()).transform((taxable) => taxable ?? false),
    }),
  ),
  taxItems: list(fields({ name: text(taxNameMax), percent: numeric(fraction) })),
});

/**
 * The charge, or undefined after adding one sentence a fault to `faults`. What only shows in the
 * sum (a total of nothing) is found by `findTotalFaults`.
 */
export function readCharge(value: unknown, faults: string[]): Charge | undefined {
  const path = ['charge'];
  const before = faults.length;
  const shaped = checkShape(chargeSchema, value, faults, path);
  const given = currenciesGiven(value);
  const [first, second] = given;
  if (first === undefined && isFields(value)) {
    faults.push(faultAt([...path, 'billingCurrency'], 'is required'));
  }
  const code = first === undefined ? undefined : billingCurrencyOf(first);
  if (second !== undefined && billingCurrencyOf(second) !== code) {
    faults.push(faultAt([...path, 'currency'], 'differs from charge.billingCurrency'));
  }
  if (shaped === undefined || code === undefined || faults.length > before) return undefined;
  const { currency: _, ...charge } = shaped;
  return { ...charge, billingCurrency: code };
}

/**
 * What is there even when the rest of the charge is wrong: the current field before the older one.
 */
function currenciesGiven(value: unknown): unknown[] {
  if (!isFields(value)) return [];
  return [value.billingCurrency, value.currency].filter(isGiven);
}

/** The older layout also names a currency by an asset id (`BTC:NATIVE`). */
function billingCurrencyOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const code = findAsset(given)?.assetCode ?? given;
  return findCurrency(code)?.billing ? code : undefined;
}
