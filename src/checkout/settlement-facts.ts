// What decideSettlement is given and what it answers.

import type { Rate } from '#money/rate.ts';
import type { CheckoutState, CreditAccount, RateBasis } from './checkout.ts';

export type SettlementFacts = {
  readonly state: CheckoutState;
  readonly expiresAt: Temporal.Instant;
  readonly cancelled: boolean;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  /** What late money has to be worth, of the whole charge. */
  readonly lateFloorPartsPerMillion: number;
  readonly locks: readonly LockFacts[];
  /** In the order in which they became final or were seen. */
  readonly receipts: readonly ReceiptFacts[];
  readonly credits: readonly CreditFacts[];
  /** Whether the watcher of a committed network is behind or cannot be asked. */
  readonly networkBehind: boolean;
  readonly now: Temporal.Instant;
};

/** One window of a way to pay. */
export type LockFacts = {
  readonly instructionId: string;
  readonly network: string;
  readonly assetId: string;
  readonly paymentUnits: bigint;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly openedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** A person assigned what nobody asked for: it promises nothing (facts-of-checkout.ts). */
  readonly isUnasked?: true;
};

export type ReceiptFacts = {
  readonly id: bigint;
  readonly generation: number;
  readonly instructionId: string;
  readonly status: 'SEEN' | 'INCLUDED' | 'FINAL' | 'GONE';
  readonly assetId: string;
  readonly units: bigint;
  readonly seenAt: Temporal.Instant;
  readonly minedAt: Temporal.Instant | undefined;
  readonly creditedGeneration: number | undefined;
  readonly reversedGeneration: number | undefined;
  /** The chain has been without it for long enough that its credit is taken back (section 4.8). */
  readonly reversalDue: boolean;
};

export type CreditFacts = {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly lockedUnits: bigint;
  readonly rateBasis: RateBasis;
  readonly requiredNowUnits: bigint | undefined;
  readonly account: CreditAccount;
  /** The merchant took it as enough. */
  readonly accepted: boolean;
  readonly released: boolean;
  readonly reversed: boolean;
  /** Lost after it was refunded, and no failed refund has given it back. */
  readonly owed: boolean;
};

/** Rates of this moment for one way to pay; undefined where one is missing or stale. */
export type CurrentRate = {
  /** Settlement units per payment unit. */
  readonly toSettlement: Rate | undefined;
  /** What the whole charge costs now, in payment units. */
  readonly requiredUnits: bigint | undefined;
  /** Rows of the rates that the one and the other were made of. */
  readonly rateIds: readonly bigint[];
  readonly requiredRateIds: readonly bigint[];
};

/** What a payment is worth to the merchant, and by which rates. */
export type Value = {
  readonly lockedUnits: bigint;
  readonly rateBasis: RateBasis;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  /** The rate of the moment, where a part was converted by it. */
  readonly current: Pick<CurrentRate, 'toSettlement' | 'rateIds'> | undefined;
};

export type CreditDecision = Value & {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly settlementAssetId: string;
  readonly requiredNowUnits: bigint | undefined;
  /** Rows of the rates that `requiredNowUnits` was made of. */
  readonly requiredRateIds: readonly bigint[];
  /** When the lock was opened whose rates are meant; they are stored with it. */
  readonly lockOpenedAt: Temporal.Instant;
  readonly account: CreditAccount;
  /** It pays down what the merchant owes for it. */
  readonly paysDebt: boolean;
};

export type ReceiptGeneration = { readonly receiptId: bigint; readonly generation: number };

/** `value`: what it is worth now that its lock is over; undefined: what it was credited as. */
export type ReleaseDecision = ReceiptGeneration & { readonly value: Value | undefined };

export type SettlementDecision = {
  readonly state: CheckoutState;
  readonly credits: readonly CreditDecision[];
  readonly releases: readonly ReleaseDecision[];
  readonly reversals: readonly ReceiptGeneration[];
  /** What is owed for them is paid by what a failed refund gave back. */
  readonly returns: readonly ReceiptGeneration[];
  /** Money above what was required, of the lock that was overpaid. */
  readonly overpaid: { readonly assetId: string; readonly units: bigint } | undefined;
  /** When money that counts was first seen after its lock had ended. */
  readonly lateAt: Temporal.Instant | undefined;
  /** Receipts that became final after completion. */
  readonly extraReceipts: number;
  /** The lock that money arrived for last, if any did. */
  readonly paidLock: LockFacts | undefined;
  /** A rate is missing without which nobody knows what money is worth: decide again soon. */
  readonly waitsForRate: boolean;
  /** When time alone can change the answer. */
  readonly decideAgainAt: Temporal.Instant | undefined;
};
