import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { checkoutRefundSchema } from '#api/endpoints/get-checkout.ts';
import { aboveZero } from '#api/endpoints/post-transfer.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { REFUND_KINDS } from '#checkout/checkout-refund.ts';
import type { ExactJson } from '#money/exact-json.ts';
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
import { createRefund } from '#refund/create-refund.ts';
import { refundView } from '#refund/refund-view.ts';

const nameMax = 200;

const refundRequestSchema = fields({
  checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  kind: z.enum(REFUND_KINDS),
  amount: optional(numeric(aboveZero)),
  address: optional(text(nameMax)),
  /** Where the customer paid in several ways; the last one when absent. */
  network: optional(text(nameMax)),
  asset: optional(text(nameMax)),
});

type RefundInput = z.output<typeof refundRequestSchema>;

export const refundSchema = checkoutRefundSchema.extend({
  claimUrl: z.string().nullable(),
  claimableUntil: z.string().nullable(),
  /** Of its checkout. */
  meta: z.record(z.string(), z.unknown()).optional(),
});

export const postRefund = protectedEndpoint({
  method: 'POST',
  path: '/refund',
  auth: 'money',
  summary: 'Send money of a checkout back; without `address` the payer gets a link to claim it',
  request: refundRequestSchema,
  response: z.object({ refund: refundSchema }),
  parse: parseRefund,
  async handle(app, { caller }, request) {
    return { refund: refundView(app, await createRefund(app, caller, request)) };
  },
});

function parseRefund(input: ExactJson): RefundInput {
  const faults: string[] = [];
  const request = checkShape(refundRequestSchema, input, faults);
  if (isFields(input)) {
    const hasAmount = isGiven(input.amount);
    if (input.kind === 'amount' && !hasAmount) faults.push(faultAt(['amount'], 'is required'));
    if ((input.kind === 'full' || input.kind === 'excess') && hasAmount) {
      faults.push(faultAt(['amount'], `must not be given with the kind ${input.kind}`));
    }
  }
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  return request;
}
