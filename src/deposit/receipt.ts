// A payment as observed on a chain. What stands here is a fact that is recomputed as the chain
// changes; what it is worth is decided elsewhere.

import type { ChainId } from '#catalog/chain.ts';
import { BRAKE_FACTOR } from './chain-health.ts';
import type { DepositPurpose } from './deposit-instruction.ts';

const RECEIPT_STATUSES = ['SEEN', 'INCLUDED', 'FINAL', 'GONE'] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

export type ReceiptFact = {
  readonly chain: ChainId;
  readonly creditKey: string;
  /** Undefined when nobody asked for it: suspense. */
  readonly instructionId: string | undefined;
  readonly merchantId: string | undefined;
  readonly purpose: DepositPurpose | undefined;
  readonly purposeId: string | undefined;
  /** What arrived, which may not be what was asked for. */
  readonly assetId: string;
  readonly units: bigint;
  readonly transaction: string;
  readonly destination: string;
  readonly spends: readonly string[];
  readonly status: ReceiptStatus;
  /** Rises when a payment appears again after its credit was reversed. */
  readonly generation: number;
  readonly seenAt: Temporal.Instant;
  readonly blockHeight: bigint | undefined;
  readonly blockHash: string | undefined;
  readonly minedAt: Temporal.Instant | undefined;
  readonly confirmationsRequired: number | undefined;
  /** Since when it is deep enough and held by the brake of its chain; undefined when it is not. */
  readonly heldAt: Temporal.Instant | undefined;
  readonly finalAt: Temporal.Instant | undefined;
  readonly goneAt: Temporal.Instant | undefined;
  /** Height of the chain when it stopped standing. */
  readonly goneHeight: bigint | undefined;
  readonly replacedBy: string | undefined;
  readonly conflictHeight: bigint | undefined;
  readonly creditedGeneration: number | undefined;
  readonly reversedGeneration: number | undefined;
  /**
   * What the merchant is credited in, of money that a person assigned to a checkout that never
   * asked for it; undefined of all other money.
   */
  readonly unaskedSettlementAssetId?: string | undefined;
};

export type Receipt = ReceiptFact & {
  readonly id: bigint;
  /** Last height recorded of its chain when it was read. */
  readonly chainHeight: bigint;
  /** Blocks that hold or bury it; 0 while unconfirmed. */
  readonly confirmations: bigint;
  /** With how many it becomes final: twice what is required while the brake of its chain is on. */
  readonly confirmationsNeeded: number | undefined;
  /** The chain has been without it for long enough that its credit is taken back (section 4.8). */
  readonly reversalDue: boolean;
};

export function confirmationsOf(
  receipt: Pick<ReceiptFact, 'blockHeight'>,
  chainHeight: bigint,
): bigint {
  if (receipt.blockHeight === undefined || receipt.blockHeight > chainHeight) return 0n;
  return chainHeight - receipt.blockHeight + 1n;
}

export function confirmationsNeeded(
  receipt: Pick<ReceiptFact, 'status' | 'confirmationsRequired'>,
  isBraked: boolean,
): number | undefined {
  const { status, confirmationsRequired } = receipt;
  if (confirmationsRequired === undefined || status === 'FINAL') return confirmationsRequired;
  return isBraked ? BRAKE_FACTOR * confirmationsRequired : confirmationsRequired;
}

/** Credited, and the credit was not taken back. */
export function hasLiveCredit(
  receipt: Pick<ReceiptFact, 'generation' | 'creditedGeneration' | 'reversedGeneration'>,
): boolean {
  const { generation, creditedGeneration, reversedGeneration } = receipt;
  return creditedGeneration === generation && reversedGeneration !== generation;
}

/**
 * Section 4.8: a credit is taken back when a transaction that spends the same money is as deep as
 * the receipt had to be, or when the chain has grown by twice that depth without it.
 */
export function isReversalDue(
  receipt: Pick<
    ReceiptFact,
    | 'status'
    | 'generation'
    | 'creditedGeneration'
    | 'reversedGeneration'
    | 'confirmationsRequired'
    | 'goneHeight'
    | 'conflictHeight'
  >,
  chainHeight: bigint,
): boolean {
  if (receipt.status !== 'SEEN' && receipt.status !== 'GONE') return false;
  if (!hasLiveCredit(receipt)) return false;
  // A chain that is final at once has a depth of 1 here: its receipts never come back by
  // themselves.
  const depth = BigInt(Math.max(1, receipt.confirmationsRequired ?? 1));
  const { conflictHeight, goneHeight } = receipt;
  if (conflictHeight !== undefined && chainHeight - conflictHeight + 1n >= depth) return true;
  return goneHeight !== undefined && chainHeight - goneHeight >= 2n * depth;
}
