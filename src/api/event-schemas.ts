// What every webhook holds, by its type (api-contract.md 7): `data.checkout` is what GET /checkout
// answers, `data.transfer` and `data.swap` what their endpoints answer.

import { z } from 'zod';
import { REFUND_CONTEXTS, REFUND_PAYMENTS } from '#checkout/checkout-refund.ts';
import { depositView } from '#deposit-address/deposit-address-view.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { completedRefundView, failedRefundView, restingRefundView } from '#refund/refund.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import type { AnswerOf } from './endpoint.ts';
import { checkoutSchema } from './resources/checkout-schema.ts';
import { settlementRuleSchema, settlementRunSchema } from './resources/settlement-rule.ts';
import { metaAnswer, shownId } from './resources/shared-fields.ts';
import { suspenseSchema } from './resources/suspense.ts';
import { swapSchema } from './resources/swap.ts';
import { transferSchema } from './resources/transfer.ts';

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
  z
    .object({
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
    })
    .meta({ id: 'Deposit' }),
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

const checkout = z.strictObject({ checkout: checkoutSchema });
const deposit = z.strictObject({ deposit: depositSchema });
const swap = z.strictObject({ swap: swapSchema });
const transfer = z.strictObject({ transfer: transferSchema });

const DATA: Record<EventType, z.ZodType> = {
  CHECKOUT_COMPLETED: checkout,
  CHECKOUT_PENDING: checkout,
  CHECKOUT_UNDERPAID: checkout,
  CHECKOUT_EXPIRED: checkout,
  CHECKOUT_CANCELLED: checkout,
  CHECKOUT_REVERSED: checkout,
  CHECKOUT_RESTORED: checkout,
  CHECKOUT_PAID_AGAIN: checkout,
  CHECKOUT_PENDING_WITHDRAWN: checkout,
  CHECKOUT_MISDIRECTED: checkout,
  UNDERPAID_ACCEPTED: checkout,
  REFUND_RESTS: z.strictObject({ refund: restingRefundSchema }),
  REFUND_COMPLETED: z.strictObject({ refund: refundSchema }),
  REFUND_FAILED: z.strictObject({ refund: failedRefundSchema }),
  REFUND_REOPENED: z.strictObject({ refund: refundSchema }),
  REFUND_RETURNED: z.strictObject({ refund: failedRefundSchema }),
  DEPOSIT_PENDING: deposit,
  DEPOSIT_PENDING_WITHDRAWN: deposit,
  DEPOSIT_COMPLETED: deposit,
  DEPOSIT_REVERSED: deposit,
  DEPOSIT_MISDIRECTED: deposit,
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

/** In which alone such an event tells of its checkout or deposit. */
export const STATES_TOLD: { readonly [type in EventType]?: string } = {
  CHECKOUT_COMPLETED: 'COMPLETED',
  CHECKOUT_PENDING: 'PENDING',
  CHECKOUT_UNDERPAID: 'UNDERPAID',
  CHECKOUT_EXPIRED: 'EXPIRED',
  CHECKOUT_CANCELLED: 'CANCELLED',
  CHECKOUT_PAID_AGAIN: 'COMPLETED',
  UNDERPAID_ACCEPTED: 'COMPLETED',
  DEPOSIT_PENDING: 'PENDING',
  DEPOSIT_PENDING_WITHDRAWN: 'WITHDRAWN',
  DEPOSIT_COMPLETED: 'COMPLETED',
  DEPOSIT_REVERSED: 'REVERSED',
  DEPOSIT_MISDIRECTED: 'MISDIRECTED',
};

const ENVELOPE = {
  id: z.string().regex(/^[a-z0-9]{12}$/),
  created: z.iso.datetime({ offset: true }),
  sequence: z.int().positive(),
  apiVersion: z.literal(LATEST_VERSION),
  test: z.literal(true).optional().describe('A person tries a receiver: nothing of it happened'),
};

/** The same data, with the state that alone is told. */
function inState(type: EventType, data: z.ZodType): z.ZodType {
  const state = STATES_TOLD[type];
  if (state === undefined) return data;
  const told = z.looseObject({ state: z.literal(state) });
  return data.pipe(z.union([z.looseObject({ checkout: told }), z.looseObject({ deposit: told })]));
}

/** The whole body of a webhook, by its `eventType`. */
const EVENT_SCHEMAS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    z.strictObject({ eventType: z.literal(type), data: inState(type, DATA[type]), ...ENVELOPE }),
  ]),
);

/** Undefined where there is no such event. */
export function findEventSchema(type: string): z.ZodType | undefined {
  return EVENT_SCHEMAS[type];
}

// In the document the events about one thing are one type: what it holds is the same.

/** A receiver may be told in an older version, and a later one than this must be readable. */
const TOLD_ENVELOPE = {
  ...ENVELOPE,
  apiVersion: z
    .string()
    .describe('Dated version that this is told in, that of its receiver; `1` is the first.'),
};

const toldRefund = refundSchema
  .extend({
    restsUntil: z.string().optional().describe('Of REFUND_RESTS: it is not sent before'),
    payment: failedRefundSchema.shape.payment
      .optional()
      .describe('Of REFUND_FAILED and REFUND_RETURNED'),
    failure: failedRefundSchema.shape.failure
      .optional()
      .describe('Of REFUND_FAILED and REFUND_RETURNED: why, as far as it is known'),
  })
  .meta({ id: 'ToldRefund' });

type Subject = readonly [name: string, begin: RegExp, data: z.ZodType, dataName: string];

/** By the beginning of its type, what an event holds: the type of an answer that holds the same. */
const SUBJECTS: readonly Subject[] = [
  ['Checkout', /^(?:CHECKOUT|UNDERPAID)_/, checkout, 'CheckoutAnswer'],
  ['Refund', /^REFUND_/, z.object({ refund: toldRefund }), 'RefundEventData'],
  ['Deposit', /^DEPOSIT_/, deposit, 'DepositEventData'],
  ['Suspense', /^SUSPENSE_/, DATA.SUSPENSE_RESOLVED, 'SuspenseEventData'],
  ['Swap', /^SWAP_/, swap, 'SwapAnswer'],
  ['Transfer', /^TRANSFER_/, transfer, 'TransferAnswer'],
  ['Settlement', /^SETTLEMENT_/, DATA.SETTLEMENT_SKIPPED, 'SettlementEventData'],
];

type EventGroup = {
  /** Of the component. */
  readonly name: string;
  readonly types: readonly EventType[];
  readonly schema: z.ZodType;
};

export const EVENT_GROUPS: readonly EventGroup[] = SUBJECTS.map(
  ([subject, begin, data, dataName]) => {
    const types = EVENT_TYPES.filter((type) => begin.test(type));
    const name = `${subject}Event`;
    const schema = z
      .object({
        eventType: z.enum(types),
        data: data.meta({ id: dataName }),
        ...TOLD_ENVELOPE,
      })
      .meta({ id: name });
    return { name, types, schema };
  },
);
