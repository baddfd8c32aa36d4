// What every webhook holds, by its type (api-contract.md 7): `data.checkout` is what GET /checkout
// answers, `data.transfer` and `data.swap` what their endpoints answer.

import { z } from 'zod';
import { settlementRuleSchema, settlementRunSchema } from '#api/resources/settlement-rule.ts';
import { suspenseSchema } from '#api/resources/suspense.ts';
import { swapSchema } from '#api/resources/swap.ts';
import { transferSchema } from '#api/resources/transfer.ts';
import { REFUND_CONTEXTS, REFUND_PAYMENTS } from '#checkout/checkout-refund.ts';
import { depositView } from '#deposit-address/deposit-address-view.ts';
import type { EventType } from '#event/event.ts';
import { completedRefundView, failedRefundView, restingRefundView } from '#refund/refund.ts';
import type { AnswerOf } from './endpoint.ts';
import { checkoutSchema } from './resources/checkout-schema.ts';
import { metaAnswer, shownId } from './resources/shared-fields.ts';

/** The schema of what a view shows: a view that does not fit it does not compile. */
function shownBy<Schema extends z.ZodType>(
  _view: (...given: never[]) => AnswerOf<Schema>,
  schema: Schema,
): Schema {
  return schema;
}

const amount = z.string().regex(/^\d+(?:\.\d+)?$/);

const depositSchema = shownBy(
  depositView,
  z.object({
    id: z.string(),
    state: z.enum(['PENDING', 'WITHDRAWN', 'COMPLETED', 'REVERSED', 'MISDIRECTED']),
    timestamp: z.string(),
    depositAddressId: shownId,
    label: z.string().nullable(),
    network: z.string(),
    networkName: z.string(),
    address: z.string(),
    memo: z.string().nullable(),
    memoType: z.string().nullable(),
    tx: z.string(),
    assetId: z.string(),
    assetCode: z.string(),
    amount,
    netAmount: amount.nullable(),
    fee: amount.nullable(),
    confirmations: z.int(),
    confirmationsRequired: z.int().nullable(),
    meta: metaAnswer,
  }),
);

const refundSchema = shownBy(
  completedRefundView,
  z.object({
    id: shownId,
    checkoutId: shownId,
    context: z.enum(REFUND_CONTEXTS),
    meta: metaAnswer,
  }),
);

const restingRefundSchema = shownBy(
  restingRefundView,
  refundSchema.extend({ restsUntil: z.string() }),
);

const failedRefundSchema = shownBy(
  failedRefundView,
  refundSchema.extend({
    payment: z.enum(REFUND_PAYMENTS),
    failure: z.string().nullable(),
  }),
);

function checkoutIn(state: string) {
  return z.strictObject({ checkout: checkoutSchema.extend({ state: z.literal(state) }) });
}

const anyCheckout = z.strictObject({ checkout: checkoutSchema });
const deposit = (state: z.infer<typeof depositSchema>['state']) =>
  z.strictObject({ deposit: depositSchema.extend({ state: z.literal(state) }) });
const swap = z.strictObject({ swap: swapSchema });
const transfer = z.strictObject({ transfer: transferSchema });

const DATA: Record<EventType, z.ZodType> = {
  CHECKOUT_COMPLETED: checkoutIn('COMPLETED'),
  CHECKOUT_PENDING: checkoutIn('PENDING'),
  CHECKOUT_UNDERPAID: checkoutIn('UNDERPAID'),
  CHECKOUT_EXPIRED: checkoutIn('EXPIRED'),
  CHECKOUT_CANCELLED: checkoutIn('CANCELLED'),
  CHECKOUT_REVERSED: anyCheckout,
  CHECKOUT_RESTORED: anyCheckout,
  CHECKOUT_PAID_AGAIN: checkoutIn('COMPLETED'),
  CHECKOUT_PENDING_WITHDRAWN: anyCheckout,
  CHECKOUT_MISDIRECTED: anyCheckout,
  UNDERPAID_ACCEPTED: checkoutIn('COMPLETED'),
  REFUND_RESTS: z.strictObject({ refund: restingRefundSchema }),
  REFUND_COMPLETED: z.strictObject({ refund: refundSchema }),
  REFUND_FAILED: z.strictObject({ refund: failedRefundSchema }),
  REFUND_REOPENED: z.strictObject({ refund: refundSchema }),
  REFUND_RETURNED: z.strictObject({ refund: failedRefundSchema }),
  DEPOSIT_PENDING: deposit('PENDING'),
  DEPOSIT_PENDING_WITHDRAWN: deposit('WITHDRAWN'),
  DEPOSIT_COMPLETED: deposit('COMPLETED'),
  DEPOSIT_REVERSED: deposit('REVERSED'),
  DEPOSIT_MISDIRECTED: deposit('MISDIRECTED'),
  SUSPENSE_RESOLVED: z.strictObject({ suspense: suspenseSchema }),
  SWAP_COMPLETED: swap,
  SWAP_FAILED: swap,
  TRANSFER_COMPLETED: transfer,
  TRANSFER_FAILED: transfer,
  TRANSFER_REOPENED: transfer,
  TRANSFER_RETURNED: transfer,
  SETTLEMENT_SKIPPED: z.strictObject({
    settlementRule: settlementRuleSchema,
    run: settlementRunSchema,
  }),
};

/** The whole body of a webhook, by its `eventType`. */
export const EVENT_SCHEMAS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => [
    type,
    z.strictObject({
      eventType: z.literal(type),
      data,
      id: z.string().regex(/^[a-z0-9]{12}$/),
      created: z.iso.datetime({ offset: true }),
      sequence: z.int().positive(),
      apiVersion: z.literal('1'),
    }),
  ]),
);
