// Types and states of a checkout (api-contract.md 6).

import type { AnchorDeposit } from '#anchor/anchor-deposit.ts';
import type { Environment } from '#catalog/chain.ts';
import type { DepositInstruction } from '#deposit/deposit-instruction.ts';
import type { AccountHolder } from '#deposit/network.ts';
import type { Receipt } from '#deposit/receipt.ts';
import type { Decimal } from '#money/decimal.ts';
import type { Rate } from '#money/rate.ts';
import type { CheckoutRefund } from './checkout-refund.ts';

export const CHECKOUT_STATES = [
  'NEW',
  'AWAITING_PAYMENT',
  'PENDING',
  'UNDERPAID',
  'COMPLETED',
  'EXPIRED',
  'CANCELLED',
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

export type CheckoutType = 'HOSTED' | 'SELF_HOSTED';
export type CheckoutOrigin = 'API' | 'DASHBOARD' | 'PAYMENT_LINK';

/** End of the payment window and of the settlement quote (service.md, Limits). */
export const PAYMENT_WINDOW_MINUTES = 60;
/** A checkout that nobody chose a way to pay for expires then. It can still be committed. */
export const UNCOMMITTED_HOURS = 24;

/** One way to pay, as quoted when the checkout was created. */
export type Offer = {
  readonly network: string;
  readonly assetId: string;
  /** What has to arrive. */
  readonly paymentUnits: bigint;
  /** What the customer has to send, where it is more because an anchor keeps a part. */
  readonly sentUnits?: bigint | undefined;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly rateIds: readonly bigint[];
  /** Settlement units per payment unit, exactly. */
  readonly paymentToSettlement: Rate;
};

/** A way to pay that could not be offered, and why: never guessed, never 1:1. */
export type WithheldOffer = {
  readonly network: string;
  readonly assetId: string;
  readonly reason: string;
};

/** A window of a commitment that ended before the one that it has now. */
export type PastWindow = {
  readonly instructionId: string;
  readonly paymentUnits: bigint;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly committedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

/**
 * A way to pay that was chosen, with its latest window: amounts and end are fixed when it is opened
 * and never moved (S7, S8).
 */
export type Commitment = {
  readonly checkoutId: string;
  readonly network: string;
  readonly assetId: string;
  readonly instruction: DepositInstruction;
  /** What has to arrive. */
  readonly paymentUnits: bigint;
  /** What the customer has to send, where it is more because an anchor keeps a part. */
  readonly sentUnits?: bigint | undefined;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly committedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** Oldest first. */
  readonly pastWindows: readonly PastWindow[];
  readonly paymentUri: string;
  /** Whose account it is, where a payer has to name it: banks. */
  readonly payee?: AccountHolder | undefined;
};

/** Independent facts beside the state; absent when they do not hold. */
export type CheckoutFlags = {
  readonly late?: { readonly at: string };
  readonly overpaid?: { readonly amount: string; readonly assetCode: string };
  readonly multiple?: { readonly count: number };
  /** The chain took it back, and nothing came in its place. */
  readonly reversed?: { readonly amount: string; readonly assetCode: string; readonly at: string };
  /** It was taken back, and it, or other money in its place, has been credited since. */
  readonly restored?: { readonly amount: string; readonly assetCode: string; readonly at: string };
  /** Paid for this, and not as asked: it lies in suspense, and is not credited. */
  readonly misdirected?: readonly MisdirectedMoney[];
  readonly acceptedUnderpaid?: { readonly at: string };
  readonly manual?: { readonly at: string };
  /** Paid to the right address on another chain than asked: it is held, and not credited. */
  readonly wrongNetwork?: {
    readonly network: string;
    readonly amount: string;
    readonly assetCode: string;
    readonly tx: string;
  };
};

export type MisdirectedMoney = {
  readonly reason: 'WRONG_ASSET' | 'WRONG_NETWORK';
  readonly network: string;
  readonly amount: string;
  readonly assetCode: string;
  readonly tx: string;
};

export type StateChange = { readonly state: CheckoutState; readonly changedAt: Temporal.Instant };

/** Where the ledger put a final receipt, and for how much. */
export type ReceiptCredit = {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly lockedUnits: bigint;
  readonly rateBasis: RateBasis;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  /** What the whole charge cost in this asset when money that came late became final. */
  readonly requiredNowUnits: bigint | undefined;
  readonly evidence: string;
  /** With which pending money went back to the payer. */
  readonly refundId?: string | undefined;
  readonly account: CreditAccount;
  readonly creditedAt: Temporal.Instant;
  readonly acceptedAt: Temporal.Instant | undefined;
  readonly releasedAt: Temporal.Instant | undefined;
  readonly reversedAt: Temporal.Instant | undefined;
  /** It came again after it had been refunded and lost: it was posted against what is owed. */
  readonly paysDebt: boolean;
  /** When it was lost after it had been refunded: the merchant owes it since. */
  readonly owedAt: Temporal.Instant | undefined;
  /** When the refund failed and gave it back, which paid that debt. */
  readonly returnedAt: Temporal.Instant | undefined;
};

export type RateBasis = 'LOCKED' | 'CURRENT' | 'MIXED' | 'NONE';
/** `refunded`: pending money that went, or is going, back to the payer. */
export type CreditAccount = 'pending' | 'available' | 'suspense' | 'refunded';

export type Checkout = {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly apiKey: string | undefined;
  readonly type: CheckoutType;
  readonly origin: CheckoutOrigin;
  readonly customerId: string | undefined;
  /** JSON text of the request as echoed in events. */
  readonly payload: string;
  /** JSON text of the merchant's own data. */
  readonly meta: string | undefined;
  readonly billingCurrency: string;
  readonly total: Decimal;
  /** An asset id, or ORIGIN. */
  readonly settlementAsset: string;
  readonly language: string;
  readonly webhookUrl: string | undefined;
  /** Where its pages are; undefined: the public URL of the service. */
  readonly pageOrigin: string | undefined;
  readonly returnUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  readonly offers: readonly Offer[];
  readonly withheld: readonly WithheldOffer[];
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  /** What late money must be worth to complete the sale by itself. */
  readonly lateFloorPartsPerMillion: number;
  readonly state: CheckoutState;
  readonly version: number;
  readonly eventSequence: number;
  readonly sourceNetwork: string | undefined;
  readonly sourceAssetId: string | undefined;
  readonly flags: CheckoutFlags;
  readonly createdAt: Temporal.Instant;
  /** Until then a commit keeps the amounts of the offers. */
  readonly quotedUntil: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly completedAt: Temporal.Instant | undefined;
  readonly cancelledAt: Temporal.Instant | undefined;
  readonly acceptedUnderpaidAt: Temporal.Instant | undefined;
  readonly settleAt: Temporal.Instant | undefined;
};

/** A checkout with everything that is known about it. */
export type CheckoutRecord = Checkout & {
  readonly commitments: readonly Commitment[];
  readonly receipts: readonly Receipt[];
  /** What anchors say about payments that go through them. */
  readonly anchorDeposits: readonly AnchorDeposit[];
  readonly credits: readonly ReceiptCredit[];
  readonly refunds: readonly CheckoutRefund[];
  readonly stateHistory: readonly StateChange[];
};
