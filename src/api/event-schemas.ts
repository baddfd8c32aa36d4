// What every webhook holds, by its type (api-contract.md 7): `data.checkout` is what GET /checkout
// answers, `data.transfer` and `data.swap` what their endpoints answer.

import { z } from 'zod';
import { assert } from '#base/assert.ts';
import { REFUND_CONTEXTS, REFUND_PAYMENTS } from '#checkout/checkout-refund.ts';
import { depositView } from '#deposit-address/deposit-address-view.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { completedRefundView, failedRefundView, restingRefundView } from '#refund/refund.ts';
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
      test: z
        .literal(true)
        .optional()
        .describe('Sent by a person to try a receiver: nothing of it has happened'),
    }),
  ]),
);

// `webhooks` of the OpenAPI document: what is sent to merchants (api-contract.md 7), made from the
// schemas that every event of every test is checked with.

export type OpenApiWebhook = {
  readonly post: {
    readonly operationId: string;
    readonly summary: string;
    readonly parameters: readonly {
      readonly name: string;
      readonly in: 'header';
      readonly required: boolean;
      readonly description: string;
      readonly schema: JsonSchema;
    }[];
    readonly requestBody: {
      readonly required: true;
      readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
    };
    readonly responses: { readonly [status: string]: { readonly description: string } };
  };
};

const SUMMARIES: Record<(typeof EVENT_TYPES)[number], string> = {
  CHECKOUT_COMPLETED: 'A checkout was paid in full; the balance has been updated',
  CHECKOUT_PENDING: 'Money was seen for a checkout and is not final yet',
  CHECKOUT_UNDERPAID: 'Final money is less than what is required',
  CHECKOUT_EXPIRED: 'The window of a checkout ended without final money',
  CHECKOUT_CANCELLED: 'A checkout was cancelled by the merchant or the customer',
  CHECKOUT_REVERSED: 'The network took back money that was credited',
  CHECKOUT_RESTORED: 'Money that the network had taken back, or other money in its place, is here',
  CHECKOUT_PAID_AGAIN: 'Another payment was credited after the checkout was completed',
  CHECKOUT_PENDING_WITHDRAWN: 'The money of CHECKOUT_PENDING will not arrive: it was not credited',
  CHECKOUT_MISDIRECTED: 'Money came in another asset or on another network than asked',
  UNDERPAID_ACCEPTED: 'An underpaid checkout was accepted with what arrived',
  REFUND_RESTS:
    'A refund to a new address above a limit is sent later: until then it can be cancelled',
  REFUND_COMPLETED: 'A refund has arrived',
  REFUND_FAILED: 'A refund was not sent and never will be; its money is back where it was',
  REFUND_REOPENED:
    'A refund had arrived, or failed, and the network undid that: it is on its way again, and how it ends is told anew',
  REFUND_RETURNED: 'A refund had arrived and was sent back; its money is back where it was',
  DEPOSIT_PENDING: 'Money was seen at a deposit address and is not final yet',
  DEPOSIT_PENDING_WITHDRAWN:
    'The money of DEPOSIT_PENDING is not on the network any more: it was not credited',
  DEPOSIT_COMPLETED: 'Money at a deposit address was credited',
  DEPOSIT_REVERSED: 'The network took back money of a deposit address that was credited',
  DEPOSIT_MISDIRECTED:
    'Money in another asset came to a deposit address: it lies in suspense until somebody decides',
  SUSPENSE_RESOLVED: 'Money in suspense was assigned to you, returned to the payer, or written off',
  SWAP_COMPLETED: 'A swap was carried out',
  SWAP_FAILED: 'A swap could not be carried out',
  TRANSFER_COMPLETED: 'A transfer has arrived',
  TRANSFER_FAILED: 'A transfer cannot arrive; its money is available again',
  TRANSFER_REOPENED:
    'A transfer had arrived, or failed, and the network undid that: it is on its way again, and how it ends is told anew',
  TRANSFER_RETURNED: 'A transfer had arrived and was sent back; what came back is available again',
  SETTLEMENT_SKIPPED:
    'A settlement rule was due and could not be followed: told once for each reason, while it is tried again',
};

/** Of the whole body, by its `eventType`. */
export function webhookSchema(type: string): JsonSchema {
  const schema = EVENT_SCHEMAS[type];
  assert(schema !== undefined, `no type of event: ${type}`);
  return jsonSchemaOf(schema, 'output');
}

export function openApiWebhooks(): { readonly [type: string]: OpenApiWebhook } {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type)]));
}

function webhookOf(type: (typeof EVENT_TYPES)[number]): OpenApiWebhook {
  return {
    post: {
      operationId: `webhook${type.replaceAll(/(?:^|_)(.)([A-Z]*)/g, (_, first: string, rest: string) => `${first}${rest.toLowerCase()}`)}`,
      summary: SUMMARIES[type],
      parameters: signatureHeaders,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: webhookSchema(type) } },
      },
      responses: {
        '2XX': { description: 'Received. Anything else is repeated for about 76 hours.' },
        410: { description: 'Never send to this receiver again.' },
        429: { description: 'Later: Retry-After is honoured, up to an hour.' },
        503: { description: 'Later: Retry-After is honoured, up to an hour.' },
      },
    },
  };
}

const header = (name: string, required: boolean, description: string, pattern: string) => ({
  name,
  in: 'header' as const,
  required,
  description,
  schema: { type: 'string', pattern },
});

const signatureHeaders = [
  header(
    'X-Webhook-Auth',
    false,
    'Lower-case hex SHA-256 over the API secret directly followed by the raw body; absent when ' +
      'there is no such key.',
    '^[0-9a-f]{64}$',
  ),
  header('webhook-id', true, 'The id of the event: the same at each attempt.', '^[a-z0-9]{12}$'),
  header('webhook-timestamp', true, 'Unix seconds of this attempt.', '^[0-9]{10}$'),
  header(
    'webhook-signature',
    true,
    'Standard Webhooks: v1, and base64 HMAC-SHA256 over id.timestamp.body; two of them, with a ' +
      'space between, while the secret rotates.',
    '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)?$',
  ),
];

export type JsonSchema = { readonly [name: string]: unknown };

/** What zod cannot say is checked all the same: the document then promises less than is checked. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
