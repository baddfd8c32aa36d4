// What each part of the decision asks of a receipt, found once for each: somebody may pay in
// thousands of parts. Pure.

import { isBlockInTime, lockOfReceipt } from './lock-of-receipt.ts';
import type { LockFacts, ReceiptFacts, SettlementFacts } from './settlement-facts.ts';

export type PlacedReceipt = {
  readonly receipt: ReceiptFacts;
  readonly lock: LockFacts;
  readonly isInTime: boolean;
  /** When it was first seen, in nanoseconds: numbers are compared faster than times are. */
  readonly seenNs: bigint;
  /** First seen after its lock had ended. */
  readonly isLate: boolean;
  /** It pays for the checkout: neither gone nor reversed nor refunded, in the asset of its lock. */
  readonly counts: boolean;
};

/** In the order of the facts, without those of no lock. */
export function placeReceipts(
  { receipts, locks, credits }: SettlementFacts,
  refunded: ReadonlySet<bigint>,
): readonly PlacedReceipt[] {
  const lockOf = lockOfReceipt(locks, credits);
  const endOf = new Map(locks.map((lock) => [lock, lock.expiresAt.epochNanoseconds]));
  const placed: PlacedReceipt[] = [];
  for (const receipt of receipts) {
    const lock = lockOf(receipt);
    const endNs = lock && endOf.get(lock);
    if (lock === undefined || endNs === undefined) continue;
    const seenNs = receipt.seenAt.epochNanoseconds;
    const isLate = seenNs > endNs;
    placed.push({
      receipt,
      lock,
      isInTime: !isLate && isBlockInTime(receipt, lock),
      seenNs,
      isLate,
      counts: countsFor(receipt, lock) && !refunded.has(receipt.id),
    });
  }
  return placed;
}

/** By receipt: those that were ever credited. */
export function creditedReceipts(
  placed: readonly PlacedReceipt[],
): ReadonlyMap<bigint, PlacedReceipt> {
  const found = new Map<bigint, PlacedReceipt>();
  for (const one of placed) {
    if (one.receipt.creditedGeneration !== undefined) found.set(one.receipt.id, one);
  }
  return found;
}

function countsFor(receipt: ReceiptFacts, lock: LockFacts): boolean {
  if (receipt.status === 'GONE' || receipt.assetId !== lock.assetId) return false;
  return !isReversed(receipt) && !isReversedNow(receipt);
}

export function isReversed(receipt: ReceiptFacts): boolean {
  return receipt.reversedGeneration === receipt.generation;
}

/** Its credit stands and is to be taken back. */
export function isReversedNow(receipt: ReceiptFacts): boolean {
  return receipt.reversalDue && isCredited(receipt) && !isReversed(receipt);
}

export function isCredited(receipt: ReceiptFacts): boolean {
  return receipt.creditedGeneration === receipt.generation;
}
