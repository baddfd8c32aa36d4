import { z } from 'zod';
import type { Caller } from '#account/caller.ts';
import { type ApiApp, protectedEndpoint } from '#api/endpoint.ts';
import { paymentMethodSchema } from '#api/endpoints/post-checkout.ts';
import { depositInstructionsSchema } from '#api/endpoints/post-checkout-commit.ts';
import { shareAnswer } from '#api/shared-answer.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { CHECKOUT_STATES, type CheckoutRecord } from '#checkout/checkout.ts';
import {
  REFUND_CONTEXTS,
  REFUND_KINDS,
  REFUND_PAYMENTS,
  REFUND_STATES,
} from '#checkout/checkout-refund.ts';
import { checkoutView } from '#checkout/checkout-view.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { fields, optional, text } from '#money/exact-schema.ts';

const waitSecondsMax = 60;
const pollMs = 500;
/** Changes of every process are told; this is for the day when that fails. */
const lookAgainMs = 5_000;

const amount = z.string().nullable();

/** Element of `refunds` of a checkout, and the beginning of a refund. */
export const checkoutRefundSchema = z.object({
  id: z.string().length(12),
  checkoutId: z.string().length(12),
  state: z.enum(REFUND_STATES),
  kind: z.enum(REFUND_KINDS),
  context: z.enum(REFUND_CONTEXTS),
  network: z.string(),
  assetId: z.string(),
  amount: z.string(),
  amountAssetCode: z.string(),
  address: z.string().nullable(),
  tx: z.string().nullable(),
  /** Whether the payment that it gives back stands. */
  payment: z.enum(REFUND_PAYMENTS),
  failure: z.string().nullable(),
  timestamp: z.string(),
});

const at = { at: z.string() };
const sum = { amount: z.string(), assetCode: z.string() };

/** api-contract.md 6: absent when they do not hold. */
const flagsSchema = z.object({
  late: z.object(at).optional(),
  overpaid: z.object(sum).optional(),
  multiple: z.object({ count: z.int() }).optional(),
  reversed: z.object({ ...sum, ...at }).optional(),
  restored: z.object({ ...sum, ...at }).optional(),
  misdirected: z
    .array(
      z.object({
        reason: z.enum(['WRONG_ASSET', 'WRONG_NETWORK']),
        network: z.string(),
        ...sum,
        tx: z.string(),
      }),
    )
    .optional(),
  acceptedUnderpaid: z.object(at).optional(),
  wrongNetwork: z.object({ network: z.string(), ...sum, tx: z.string() }).optional(),
  manual: z.object(at).optional(),
});

/** The request as it came, with what is always there in the current layout. */
const payloadSchema = z.looseObject({
  charge: z.record(z.string(), z.unknown()),
  settlementAsset: z.string(),
  webhook: z.string().nullable(),
  links: z.object({ cancelUrl: z.string().nullable(), returnUrl: z.string().nullable() }),
});

export const checkoutSchema = z.object({
  id: z.string().length(12),
  timestamp: z.string(),
  state: z.enum(CHECKOUT_STATES),
  type: z.enum(['HOSTED', 'SELF_HOSTED']),
  origin: z.enum(['API', 'DASHBOARD', 'PAYMENT_LINK']),
  settlementAssetId: z.string().nullable(),
  settlementAmountRequired: amount,
  settlementAmountReceived: amount,
  settlementAmountFeePaid: amount,
  sourceAssetId: z.string().nullable(),
  sourceAmountRequired: amount,
  sourceAmountReceived: amount,
  sourceNetwork: z.string().nullable(),
  sourceNetworkName: z.string().nullable(),
  depositAddress: z.string().nullable(),
  blockchainTransactions: z.array(
    z.object({
      type: z.enum(['CHECKOUT_ORIGIN', 'CHECKOUT_BRIDGE', 'CHECKOUT_SETTLEMENT']),
      typeDescription: z.string(),
      network: z.string(),
      networkName: z.string(),
      timestamp: z.string(),
      tx: z.string(),
      amount: z.string(),
      amountAssetCode: z.string(),
      exception: z.string().nullable(),
      confirmations: z.int(),
      confirmationsRequired: z.int().nullable(),
    }),
  ),
  payload: payloadSchema,
  hostedCheckoutUrl: z.url(),
  total: z.string(),
  billingCurrency: z.string(),
  stateHistory: z.array(z.object({ state: z.enum(CHECKOUT_STATES), timestamp: z.string() })),
  flags: flagsSchema,
  paymentMethods: z.array(paymentMethodSchema),
  depositInstructions: depositInstructionsSchema.nullable(),
  expirationTime: z.string().nullable(),
  /** Until then a commit keeps the amounts of `paymentMethods`. */
  quoteExpirationTime: z.string(),
  meta: z.record(z.string(), z.unknown()).optional(),
  refunds: z.array(checkoutRefundSchema),
});

export const getCheckout = protectedEndpoint({
  method: 'GET',
  path: '/checkout',
  auth: 'read',
  summary: 'State of a checkout; `wait` holds the answer until the state changes',
  request: fields({
    id: text(100),
    wait: optional(
      z
        .string()
        .refine((seconds) => /^\d{1,4}$/.test(seconds), 'must be a whole number of seconds')
        .refine(
          (seconds) => Number(seconds) <= waitSecondsMax,
          `must be at most ${waitSecondsMax} seconds`,
        )
        .transform(Number),
    ),
  }),
  response: z.object({ checkout: checkoutSchema }),
  async handle(app, { caller, signal }, { id, wait }) {
    const record = await requireCheckout(app, caller, id);
    const isOver = wait === undefined || record.state === 'COMPLETED';
    const shown = isOver ? record : await waitForChange(app, caller, record, wait, signal);
    return answerOf(app, shown);
  },
});

const answers = new WeakMap<CheckoutRecord, { readonly checkout: object }>();

/** Requests that are read together are answered with the same record. */
function answerOf(app: ApiApp, record: CheckoutRecord): { readonly checkout: object } {
  const known = answers.get(record);
  if (known !== undefined) return known;
  const answer = shareAnswer({ checkout: checkoutView(app, record) });
  answers.set(record, answer);
  return answer;
}

/** @throws Refusal missing, also for a checkout of another merchant or environment. */
export async function requireCheckout(
  app: ApiApp,
  caller: Caller,
  id: string,
): Promise<CheckoutRecord> {
  const record = isId(id) ? await findCheckout(app, caller, id) : undefined;
  if (record === undefined) throw new Refusal('missing', 'checkout_missing', 'no such checkout');
  return record;
}

/** The checkout in another state than `before`, or as it is after so many seconds. */
async function waitForChange(
  app: ApiApp,
  caller: Caller,
  before: CheckoutRecord,
  seconds: number,
  signal: AbortSignal,
): Promise<CheckoutRecord> {
  const endsAtMs = app.clock.monotonicMs() + seconds * 1000;
  const answered = new AbortController();
  const over = AbortSignal.any([signal, answered.signal]);
  try {
    for (;;) {
      const leftMs = endsAtMs - app.clock.monotonicMs();
      // Before the look: what changes during it wakes as well.
      const told = waitToBeTold(app, before.id, Math.max(0, leftMs), over);
      const record = await requireCheckout(app, caller, before.id);
      const isOver = leftMs <= 0 || signal.aborted || app.changes?.hasEnded() === true;
      if (isOver || record.state !== before.state) return record;
      await told;
    }
  } finally {
    answered.abort();
  }
}

function waitToBeTold(app: ApiApp, id: string, leftMs: number, over: AbortSignal): Promise<void> {
  if (app.changes === undefined) return pause(app, Math.min(pollMs, leftMs), over);
  return app.changes.wait(id, Math.min(lookAgainMs, leftMs), over);
}

/** Ends early when the client goes away. */
async function pause(app: ApiApp, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await app.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
