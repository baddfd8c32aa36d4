// Which lock a payment belongs to. A way to pay has a window after the other, all on the same
// instruction (Lightning: on an invoice of its own each); money belongs to the one that was opened
// last when it was first seen, and stays there: a window that opens afterwards with an earlier time
// (the clock of a network may be ahead of ours, or it is the same moment) takes no credit along.

import { compareInstants } from '#base/instant.ts';
import { type Commitment, PAYMENT_WINDOW_MINUTES } from '#checkout/checkout.ts';
import { type Credit, ratesOfCredit } from '#checkout/credit.ts';
import type { LockFacts, ReceiptFacts } from './settlement-facts.ts';

/** The windows of a way to pay, the ended ones first. */
export function locksOf(commitment: Commitment): LockFacts[] {
  const { network, assetId, settlementAssetId, instruction, pastWindows } = commitment;
  const latest = { ...commitment, instructionId: instruction.id };
  return [...pastWindows, latest].map((window) => ({
    instructionId: window.instructionId,
    network,
    assetId,
    arrivingUnits: window.arrivingUnits,
    settlementAssetId,
    settlementUnits: window.settlementUnits,
    netUnits: window.netUnits,
    openedAt: window.committedAt,
    expiresAt: window.expiresAt,
  }));
}

type LockOf = (
  receipt: Pick<ReceiptFacts, 'id' | 'generation' | 'instructionId' | 'seenAt'>,
) => LockFacts | undefined;

/** `credits`: those of the checkout so far. */
export function lockOfReceipt(locks: readonly LockFacts[], credits: readonly Credit[]): LockOf {
  const byInstruction = Map.groupBy(
    locks.toSorted((a, b) => compareInstants(a.openedAt, b.openedAt)),
    ({ instructionId }) => instructionId,
  );
  return ({ id, generation, instructionId = unaskedName(id), seenAt }) => {
    const own = byInstruction.get(instructionId);
    if (own === undefined || own.length === 1) return own?.[0];
    const credit = credits.find((one) => one.receiptId === id && one.generation === generation);
    const used = credit && lockUsedBy(credit, own);
    if (used !== undefined) return used;
    // The clock of a network that states the time of a payment may be slightly behind ours.
    return own.findLast(({ openedAt }) => compareInstants(openedAt, seenAt) <= 0) ?? own[0];
  };
}

/** Undefined for what no lock covered. */
function lockUsedBy(credit: Credit, own: readonly LockFacts[]): LockFacts | undefined {
  const { openedAt: used } = ratesOfCredit(credit);
  if (used === undefined) return undefined;
  return own.find(({ openedAt }) => compareInstants(openedAt, used) === 0);
}

/** The lock of money that nobody asked for stands under this name, which no instruction has. */
export function unaskedName(receiptId: bigint): string {
  return `assigned:${receiptId}`;
}

/**
 * In time when the version that confirmed was first seen before the lock ended and its block came
 * no later than one more window (F2, money.md Quotes). Instant networks state the time of the
 * payment.
 */
export function isInTime(
  receipt: Pick<ReceiptFacts, 'seenAt' | 'minedAt'>,
  lock: LockFacts,
): boolean {
  return compareInstants(receipt.seenAt, lock.expiresAt) <= 0 && isBlockInTime(receipt, lock);
}

/** Of a payment that was seen in time. */
export function isBlockInTime(receipt: Pick<ReceiptFacts, 'minedAt'>, lock: LockFacts): boolean {
  if (receipt.minedAt === undefined) return true;
  if (compareInstants(receipt.minedAt, lock.expiresAt) <= 0) return true;
  const latestBlock = lock.expiresAt.add({ minutes: PAYMENT_WINDOW_MINUTES });
  return compareInstants(receipt.minedAt, latestBlock) <= 0;
}

export function isSameWay(a: LockFacts, b: LockFacts): boolean {
  // Money that nobody asked for has no way to pay.
  if (a.isUnasked || b.isUnasked) return false;
  return a.network === b.network && a.assetId === b.assetId;
}
