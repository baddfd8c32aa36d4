// Whether the final money pays the charge. Pure.
//
// Both of two questions must be answered with yes.
// 1. Was what was asked for paid? The money must come to the required amount less the tolerance.
//    Late money may also count by what it was worth when it became final, where that is more.
//    What came more days after its window than the merchant allows does not count by itself.
// 2. Is all of it worth the floor now? A lock counts at its price as long as it holds, and for ever
//    when it was paid in full before it ended. Money of a lock that ended unpaid counts at what it
//    is worth today, so nobody keeps a price for longer than its window by paying nearly all of it.

import { isBefore } from '#base/instant.ts';
import { isSameWay } from './lock-of-receipt.ts';
import { createShareSum, type ShareSum, WHOLE_SHARE } from './paid-share.ts';
import type { PlacedReceipt } from './place-receipts.ts';
import type { CurrentRate, LockFacts, SettlementFacts } from './settlement-facts.ts';

const MILLION = 1_000_000n;
const DAY_NS = 86_400_000_000_000n;

type PaidQuestion = {
  readonly facts: SettlementFacts;
  /** Final, of the asset of their lock, valued. */
  readonly receipts: readonly PlacedReceipt[];
  readonly rateOf: (lock: LockFacts) => CurrentRate;
  /** By receipt: what the whole charge cost when money that came late became final. */
  readonly requiredThen: ReadonlyMap<bigint, bigint>;
};

type Paid = {
  readonly isPaid: boolean;
  /** Locks whose price still counts: not over, or everything was paid by them before the end. */
  readonly holding: ReadonlySet<LockFacts>;
  /** Nobody knows what it is worth today. */
  readonly waitsForRate: boolean;
};

export function decidePaid(question: PaidQuestion): Paid {
  const { facts } = question;
  const firm = facts.locks.filter((lock) => isPaidByEndOf(lock, question));
  const isOver = (lock: LockFacts) => isBefore(lock.expiresAt, facts.now);
  const holding = new Set([...firm, ...facts.locks.filter((lock) => !isOver(lock))]);
  const timely = firm.length > 0 ? question : withoutTooLate(question);
  if (firm.length === 0 && !isAskedPaid(timely)) {
    return { isPaid: false, holding, waitsForRate: false };
  }
  const worth = worthNow(timely, firm, holding);
  const { late } = thresholds(facts);
  const isPaid = worth.sum.total() * MILLION >= WHOLE_SHARE * late;
  return { isPaid, holding, waitsForRate: !isPaid && worth.isIncomplete };
}

/** Each payment by its own window, so that it is the same whatever else came before or after. */
function withoutTooLate(question: PaidQuestion): PaidQuestion {
  const nanoseconds = BigInt(question.facts.lateDays) * DAY_NS;
  const isTimely = ({ lock, seenNs }: PlacedReceipt) =>
    lock.isUnasked === true || seenNs <= lock.expiresAt.epochNanoseconds + nanoseconds;
  return { ...question, receipts: question.receipts.filter(isTimely) };
}

/** In parts per million: of what was asked for, and of what all of it is worth. */
function thresholds(facts: SettlementFacts): { readonly inTime: bigint; readonly late: bigint } {
  const inTime = MILLION - BigInt(facts.underpaidTolerancePartsPerMillion);
  const floor = BigInt(facts.lateFloorPartsPerMillion);
  return { inTime, late: floor < inTime ? floor : inTime };
}

/** Earlier money of the same way counts at the price of this window: it asked for the rest. */
function isPaidByEndOf(window: LockFacts, question: PaidQuestion): boolean {
  const { facts, receipts } = question;
  const sum = createShareSum();
  const endNs = window.expiresAt.epochNanoseconds;
  for (const placed of receipts) {
    if (placed.seenNs > endNs) continue;
    const required = requiredIn(window, placed, question);
    if (required !== undefined) sum.add(placed.receipt.units, required);
  }
  return reaches(sum, thresholds(facts).inTime);
}

function requiredIn(
  window: LockFacts,
  { receipt, lock, isInTime }: PlacedReceipt,
  { requiredThen }: PaidQuestion,
): bigint | undefined {
  if (lock !== window && isSameWay(lock, window)) return window.arrivingUnits;
  return isInTime ? lock.arrivingUnits : requiredThen.get(receipt.id);
}

/** Late money counts as a share of what its window asked for, or of what all cost when it came. */
function isAskedPaid({ facts, receipts, requiredThen }: PaidQuestion): boolean {
  const sum = createShareSum();
  for (const { receipt, lock } of receipts) {
    const { arrivingUnits } = lock;
    const then = requiredThen.get(receipt.id);
    const isLower = then !== undefined && then < arrivingUnits;
    const required = lock.isUnasked || isLower ? then : arrivingUnits;
    if (required !== undefined) sum.add(receipt.units, required);
  }
  return reaches(sum, thresholds(facts).inTime);
}

function worthNow(
  question: PaidQuestion,
  firm: readonly LockFacts[],
  holding: ReadonlySet<LockFacts>,
): { readonly sum: ShareSum; readonly isIncomplete: boolean } {
  const sum = createShareSum();
  let isIncomplete = false;
  for (const placed of question.receipts) {
    const held = requiredWhileHeld(placed, question, firm, holding);
    const required = held ?? question.rateOf(placed.lock).requiredUnits;
    if (required === undefined) isIncomplete = true;
    else sum.add(placed.receipt.units, required);
  }
  return { sum, isIncomplete };
}

/** By a lock that holds, as it counted there; undefined where the rate of the moment decides. */
function requiredWhileHeld(
  placed: PlacedReceipt,
  question: PaidQuestion,
  firm: readonly LockFacts[],
  holding: ReadonlySet<LockFacts>,
): bigint | undefined {
  const { lock, isInTime, seenNs } = placed;
  if (isInTime && holding.has(lock)) return lock.arrivingUnits;
  const paid = firm.find(
    (window) => isSameWay(lock, window) && seenNs <= window.expiresAt.epochNanoseconds,
  );
  return paid && requiredIn(paid, placed, question);
}

function reaches(sum: ShareSum, partsPerMillion: bigint): boolean {
  const total = sum.total();
  return total > 0n && total * MILLION >= WHOLE_SHARE * partsPerMillion;
}
