import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { type Charge, chargeSchema, readCharge } from '#charge/charge.ts';
import { type Decimal, decimalToText } from '#money/decimal.ts';
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';
import { faultAt, fields } from '#money/exact-schema.ts';

export const postValidateCheckoutCharge = protectedEndpoint({
  method: 'POST',
  path: '/checkout/validate-checkout-charge',
  operationId: 'validateCharge',
  // It creates nothing at all: any number of repeats is harmless.
  auth: 'idempotent',
  summary: 'Check a charge and compute its total without creating anything',
  request: fields({ charge: chargeSchema }).meta({ id: 'ValidateChargeRequest' }),
  response: z
    .object({
      total: z.string(),
      decimals: z.int(),
      netTotal: z.string(),
      taxTotal: z.string(),
      discountTotal: z.string(),
      shippingTotal: z.string(),
    })
    .meta({ id: 'ChargeTotals' }),
  parse: parseCharge,
  handle(_app, _call, charge) {
    const { decimals } = charge;
    const shown = (amount: Decimal) => moneyText(amount, decimals);
    return {
      total: shown(charge.total),
      decimals,
      netTotal: shown(charge.netTotal),
      taxTotal: shown(charge.taxTotal),
      discountTotal: shown(charge.discountTotal),
      shippingTotal: shown(charge.shippingTotal),
    };
  },
});

/** The whole request of a checkout may be sent: everything but the charge is tolerated unread. */
function parseCharge(input: ExactJson): Charge {
  const faults: string[] = [];
  if (!isJsonObject(input)) faults.push(faultAt([], 'must be an object'));
  const charge = isJsonObject(input) ? readCharge(input.charge, faults) : undefined;
  if (charge === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  return charge;
}

/** At least as many digits after the point as the currency has; an exact part may have more. */
function moneyText(amount: Decimal, decimals: number): string {
  const text = decimalToText(amount);
  if (amount.scale >= decimals) return text;
  const zeros = '0'.repeat(decimals - amount.scale);
  return amount.scale === 0 ? `${text}.${zeros}` : `${text}${zeros}`;
}
