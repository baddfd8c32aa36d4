// Whether the final money pays the charge. Pure.
//
// Two questions, both to be answered yes. Was what was asked for paid: the required amount less the
// tolerance; late money also by what it was worth when it became final, where that is more. And is
// all of it worth the floor now: a lock counts as long as it holds, and for ever when it was
// paid in full before it ended; what is left over from a lock that ended unpaid is worth what it is
// worth today. So nobody holds a price for longer than its window by paying nearly all of it.

import { isInTime, isSameWay, type LockOf, mustHaveLock } from './lock-of-receipt.ts';
import { createShareSum, type ShareSum, WHOLE_SHARE } from './paid-share.ts';
import type { CurrentRate, LockFacts, ReceiptFacts, SettlementFacts } from './settlement-facts.ts';

const MILLION = 1_000_000n;

export type PaidQuestion = {
  readonly facts: SettlementFacts;
  /** Final, of the asset of their lock, valued. */
  readonly receipts: readonly ReceiptFacts[];
  readonly lockOf: LockOf;
  readonly rateOf: (lock: LockFacts) => CurrentRate;
  /** By receipt: what the whole charge cost when money that came late became final. */
  readonly requiredThen: ReadonlyMap<bigint, bigint>;
};

export type Paid = {
  readonly isPaid: boolean;
  /** Locks by which everything was paid before they ended: they hold for ever. */
  readonly firm: ReadonlySet<LockFacts>;
  /** What it is worth today is not known. */
  readonly waitsForRate: boolean;
};

export function decidePaid(question: PaidQuestion): Paid {
  const { facts } = question;
  const firm = new Set(facts.locks.filter((lock) => isPaidByEndOf(lock, question)));
  if (firm.size === 0 && !isAskedPaid(question)) {
    return { isPaid: false, firm, waitsForRate: false };
  }
  const worth = worthNow(question, firm);
  const { late } = thresholds(facts);
  const isPaid = worth.sum.total() * MILLION >= WHOLE_SHARE * late;
  return { isPaid, firm, waitsForRate: !isPaid && worth.isIncomplete };
}

/** In parts per million: of what was asked for, and of what all of it is worth. */
function thresholds(facts: SettlementFacts): { readonly inTime: bigint; readonly late: bigint } {
  const inTime = MILLION - BigInt(facts.underpaidTolerancePartsPerMillion);
  const floor = BigInt(facts.lateFloorPartsPerMillion);
  return { inTime, late: floor < inTime ? floor : inTime };
}

/** Earlier money of the same way counts at the price of this window: it asked for the rest. */
function isPaidByEndOf(window: LockFacts, question: PaidQuestion): boolean {
  const { facts, receipts, lockOf, requiredThen } = question;
  const sum = createShareSum();
  for (const receipt of receipts) {
    if (Temporal.Instant.compare(receipt.seenAt, window.expiresAt) > 0) continue;
    const lock = mustHaveLock(lockOf, receipt);
    const then = isInTime(receipt, lock) ? lock.paymentUnits : requiredThen.get(receipt.id);
    const isEarlier = lock !== window && isSameWay(lock, window);
    const required = isEarlier ? window.paymentUnits : then;
    if (required !== undefined) sum.add(receipt.units, required);
  }
  return reaches(sum, thresholds(facts).inTime);
}

/** Late money counts as a share of what its window asked for, or of what all cost when it came. */
function isAskedPaid({ facts, receipts, lockOf, requiredThen }: PaidQuestion): boolean {
  const sum = createShareSum();
  for (const receipt of receipts) {
    const { paymentUnits } = mustHaveLock(lockOf, receipt);
    const then = requiredThen.get(receipt.id);
    sum.add(receipt.units, then !== undefined && then < paymentUnits ? then : paymentUnits);
  }
  return reaches(sum, thresholds(facts).inTime);
}

function worthNow(
  { facts, receipts, lockOf, rateOf }: PaidQuestion,
  firm: ReadonlySet<LockFacts>,
): { readonly sum: ShareSum; readonly isIncomplete: boolean } {
  const sum = createShareSum();
  let isIncomplete = false;
  for (const receipt of receipts) {
    const lock = mustHaveLock(lockOf, receipt);
    const required = requiredToday(receipt, lock, firm, facts.now) ?? rateOf(lock).requiredUnits;
    if (required === undefined) isIncomplete = true;
    else sum.add(receipt.units, required);
  }
  return { sum, isIncomplete };
}

/** By a lock that holds; undefined where the rate of the moment decides. */
function requiredToday(
  receipt: ReceiptFacts,
  lock: LockFacts,
  firm: ReadonlySet<LockFacts>,
  now: Temporal.Instant,
): bigint | undefined {
  if (isInTime(receipt, lock) && holds(lock, firm, now)) return lock.paymentUnits;
  for (const later of firm) {
    const isBefore = Temporal.Instant.compare(receipt.seenAt, later.expiresAt) <= 0;
    if (isSameWay(lock, later) && isBefore) return later.paymentUnits;
  }
  return undefined;
}

/** Whether what was paid under it is still worth what it guaranteed. */
export function holds(
  lock: LockFacts,
  firm: ReadonlySet<LockFacts>,
  now: Temporal.Instant,
): boolean {
  return firm.has(lock) || Temporal.Instant.compare(now, lock.expiresAt) <= 0;
}

function reaches(sum: ShareSum, partsPerMillion: bigint): boolean {
  const total = sum.total();
  return total > 0n && total * MILLION >= WHOLE_SHARE * partsPerMillion;
}
