import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isNetwork, requireSandbox, unknownNetwork } from '#api/require-sandbox.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { type Decimal, decimalToText, isNegative, isZero } from '#money/decimal.ts';
import { faultAt, fields, numeric, optional, text } from '#money/exact-schema.ts';

const partsMax = 20;

const aboveZero = (value: Decimal) =>
  isNegative(value) || isZero(value) ? 'must be greater than 0' : undefined;

export const sandboxPaymentsSchema = z.array(
  z.object({
    network: z.string(),
    assetId: z.string(),
    amount: z.string(),
    transaction: z.string(),
  }),
);

/** A whole number in [min, max], as every number written as a number or as text. */
export function count(max: number, min = 1) {
  return numeric((value) =>
    value.scale > 0 || value.coefficient < BigInt(min) || value.coefficient > BigInt(max)
      ? `must be a whole number from ${min} to ${max}`
      : undefined,
  );
}

const id = z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9');

export const postSandboxPay = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/pay',
  auth: 'create',
  summary: 'Pay a test checkout or a test deposit address on a simulated network',
  request: fields({
    checkoutId: optional(id),
    depositAddressId: optional(id),
    network: optional(z.string().refine(isNetwork, unknownNetwork)),
    asset: optional(text(200)),
    amount: optional(numeric(aboveZero)),
    parts: optional(count(partsMax)),
  }),
  response: z.object({ payments: sandboxPaymentsSchema }),
  async handle(app, { caller }, { checkoutId, depositAddressId, network, asset, ...input }) {
    const sandbox = requireSandbox(app, caller);
    const amount = input.amount === undefined ? undefined : decimalToText(input.amount);
    const parts = input.parts === undefined ? 1 : Number(input.parts.coefficient);
    if (depositAddressId !== undefined) {
      if (amount === undefined) throw required('amount');
      const payment = { depositAddressId, asset, amount, parts };
      return { payments: await sandbox.payAddress(caller, payment) };
    }
    if (checkoutId === undefined) throw required('checkoutId');
    const payments = await sandbox.pay(caller, {
      checkoutId,
      network,
      asset,
      amount,
      parts,
    });
    return { payments };
  },
});

function required(name: string): Refusal {
  return new Refusal('invalid', 'validation_failed', faultAt([name], 'is required'));
}
