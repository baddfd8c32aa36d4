// What decideSettlement is given and what it answers.

import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutState } from '#checkout/checkout.ts';
import type { Credit, CreditChanges } from '#checkout/credit.ts';
import type { Rate } from '#money/rate.ts';

export type SettlementFacts = {
  readonly state: CheckoutState;
  readonly expiresAt: Temporal.Instant;
  readonly cancelled: boolean;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  /** What late money has to be worth, of the whole charge. */
  readonly lateFloorPartsPerMillion: number;
  /** After its window, in which late money completes the sale by itself. */
  readonly lateDays: number;
  readonly locks: readonly LockFacts[];
  /** In the order in which they became final or were seen. */
  readonly receipts: readonly ReceiptFacts[];
  readonly credits: readonly Credit[];
  /** Whether the watcher of a committed network is behind or cannot be asked. */
  readonly networkBehind: boolean;
  readonly now: Temporal.Instant;
};

/** One window of a way to pay. */
export type LockFacts = {
  readonly instructionId: string;
  readonly network: string;
  readonly assetId: string;
  readonly arrivingUnits: bigint;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly openedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** A person assigned what nobody asked for: it promises nothing (facts-of-checkout.ts). */
  readonly isUnasked?: true;
};

/** What a decision asks of a receipt. */
export type ReceiptFacts = Pick<
  Receipt,
  | 'id'
  | 'generation'
  | 'instructionId'
  | 'status'
  | 'assetId'
  | 'units'
  | 'seenAt'
  | 'minedAt'
  | 'creditedGeneration'
  | 'reversedGeneration'
  | 'reversalDue'
>;

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

export type SettlementDecision = CreditChanges & {
  readonly state: CheckoutState;
  /** Money above what was required, of the lock that was overpaid. */
  readonly overpaid: { readonly assetId: string; readonly units: bigint } | undefined;
  /** When money that counts was first seen after its lock had ended. */
  readonly lateAt: Temporal.Instant | undefined;
  /** Receipts that became final after completion. */
  readonly extraReceipts: number;
  /** The lock that money arrived for last, if any did. */
  readonly paidLock: LockFacts | undefined;
  /** A rate is missing without which the money cannot be valued: decide again soon. */
  readonly waitsForRate: boolean;
  /** When time alone can change the answer. */
  readonly decideAgainAt: Temporal.Instant | undefined;
};
