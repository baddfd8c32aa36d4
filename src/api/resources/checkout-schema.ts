// What is answered about a checkout: GET /checkout, and `data.checkout` of every event.

import { z } from 'zod';
import { CHECKOUT_STATES } from '#checkout/checkout.ts';
import {
  REFUND_CONTEXTS,
  REFUND_KINDS,
  REFUND_PAYMENTS,
  REFUND_STATES,
} from '#checkout/checkout-refund.ts';
import { jsonObject, metaAnswer, shownId } from './shared-fields.ts';

export const settlementSchema = z
  .object({
    assetId: z.string(),
    amount: z.string(),
    netAmount: z.string(),
    fee: z.string(),
  })
  .meta({ id: 'Settlement' });

export const paymentMethodSchema = z
  .object({
    assetCode: z.string(),
    blockchain: z.string(),
    network: z.string(),
    relatedAssetId: z.string(),
    paymentAmount: z.string(),
    /** How much of it an anchor keeps. */
    anchorFee: z.string().optional(),
    settlement: settlementSchema,
  })
  .meta({ id: 'PaymentMethod' });

export const depositInstructionsSchema = z
  .object({
    assetCode: z.string(),
    blockchain: z.string(),
    network: z.string(),
    amount: z.string(),
    /** How much of the amount an anchor keeps. */
    anchorFee: z.string().optional(),
    address: z.string(),
    memo: z.string().nullable(),
    memoType: z.string().nullable(),
    destinationTag: z.int().optional(),
    /** Banks: whose account it is. */
    holder: z.string().optional(),
    bic: z.string().optional(),
    /** Null where there is no such link: most banks know none. */
    paymentUri: z.string().nullable(),
  })
  .meta({ id: 'DepositInstructions' });

/** Element of `refunds` of a checkout, and the beginning of a refund. */
export const checkoutRefundSchema = z
  .object({
    id: shownId,
    checkoutId: shownId,
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
  })
  .meta({ id: 'Refund' });

/** What is told with a flag: one type for all of them. */
const flag = z
  .object({
    at: z.string().optional(),
    amount: z.string().optional(),
    assetCode: z.string().optional(),
    count: z.int().optional(),
  })
  .meta({ id: 'CheckoutFlag' });
const misdirected = z
  .object({
    reason: z.enum(['WRONG_ASSET', 'WRONG_NETWORK']).optional(),
    network: z.string(),
    amount: z.string(),
    assetCode: z.string(),
    tx: z.string(),
  })
  .meta({ id: 'MisdirectedPayment' });

/** api-contract.md 6: absent when they do not hold. */
const flagsSchema = z
  .object({
    late: flag.optional(),
    overpaid: flag.optional(),
    multiple: flag.optional(),
    reversed: flag.optional(),
    restored: flag.optional(),
    misdirected: z.array(misdirected).optional(),
    acceptedUnderpaid: flag.optional(),
    wrongNetwork: misdirected.optional(),
    manual: flag.optional(),
  })
  .meta({ id: 'CheckoutFlags' });

/** The request as it came, with what is always there in the current layout. */
const payloadSchema = z
  .looseObject({
    charge: jsonObject,
    settlementAsset: z.string(),
    webhook: z.string().nullable(),
    links: z
      .object({ cancelUrl: z.string().nullish(), returnUrl: z.string().nullish() })
      .meta({ id: 'ReturnLinks' }),
  })
  .meta({ id: 'CheckoutPayload' });

const amount = z.string().nullable();
const checkoutState = z.enum(CHECKOUT_STATES).meta({ id: 'CheckoutState' });

const transactionSchema = z
  .object({
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
  })
  .meta({ id: 'CheckoutTransaction' });

const stateChangeSchema = z
  .object({ state: checkoutState, timestamp: z.string() })
  .meta({ id: 'CheckoutStateChange' });

export const checkoutSchema = z
  .object({
    id: shownId,
    timestamp: z.string(),
    state: checkoutState,
    type: z.enum(['HOSTED', 'SELF_HOSTED']),
    origin: z.enum(['API', 'DASHBOARD', 'PAYMENT_LINK']),
    settlementAssetId: z.string().nullable(),
    settlementAmountRequired: amount,
    settlementAmountReceived: z.string(),
    settlementAmountFeePaid: z.string(),
    sourceAssetId: z.string().nullable(),
    sourceAmountRequired: amount,
    sourceAmountReceived: z.string(),
    sourceNetwork: z.string().nullable(),
    sourceNetworkName: z.string().nullable(),
    depositAddress: z.string().nullable(),
    blockchainTransactions: z.array(transactionSchema),
    payload: payloadSchema,
    hostedCheckoutUrl: z.url(),
    total: z.string(),
    billingCurrency: z.string(),
    /** Of a checkout that asks the payer something: what, and what was answered. */
    asks: z.array(jsonObject).optional(),
    answers: jsonObject.optional(),
    answeredAt: z.string().nullable().optional(),
    termsUrl: z.string().nullable().optional(),
    termsAcceptedAt: z.string().nullable().optional(),
    /** Part of the total. */
    tip: z.string().optional(),
    stateHistory: z.array(stateChangeSchema),
    flags: flagsSchema,
    paymentMethods: z.array(paymentMethodSchema),
    depositInstructions: depositInstructionsSchema.nullable(),
    expirationTime: z.string().nullable(),
    /** Until then a commit keeps the amounts of `paymentMethods`. */
    quoteExpirationTime: z.string(),
    meta: metaAnswer,
    refunds: z.array(checkoutRefundSchema),
  })
  .meta({ id: 'Checkout' });

/** What is answered by whatever shows one checkout. */
export const checkoutAnswer = z.object({ checkout: checkoutSchema }).meta({ id: 'CheckoutAnswer' });
