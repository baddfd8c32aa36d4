// What the money seen so far means. A pure function of the stored facts, the current rates and the
// time: the same facts in any order and any number of times give the same end state (S5).
//
// Guarantees: COMPLETED is never left (S1). A receipt is credited only when final, in the asset
// that was asked, and at most once per generation (R2). A lock covers the required amount and no
// more (F4). Nothing expires while its network is unheard (C8). It stores nothing and knows no
// table: settle-checkout.ts carries its answer out.

import { assert } from '#base/assert.ts';
import { compareInstants, isBefore } from '#base/instant.ts';
import { type CheckoutState, PAYMENT_WINDOW_MINUTES } from '#checkout/checkout.ts';
import { type Credit, creditKey, isOwed } from '#checkout/credit.ts';
import { decidePaid } from './decide-paid.ts';
import {
  creditedReceipts,
  isCredited,
  isReversed,
  isReversedNow,
  type PlacedReceipt,
  placeReceipts,
} from './place-receipts.ts';
import { releaseCredits } from './release-credits.ts';
import type {
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementDecision,
  SettlementFacts,
} from './settlement-facts.ts';
import { priceFinalReceipts, unearnedCredit } from './value-receipts.ts';

export function decideSettlement(
  facts: SettlementFacts,
  currentRate: (lock: LockFacts) => CurrentRate,
): SettlementDecision {
  const rateOf = remember(currentRate);
  const refunded = new Set(
    facts.credits.filter(({ account }) => account === 'refunded').map(({ receiptId }) => receiptId),
  );
  const placed = placeReceipts(facts, refunded);
  const counted = placed.filter(({ counts }) => counts);
  const credited = creditedReceipts(placed);

  const pricing = priceFinalReceipts({ facts, credited, counted, rateOf });
  const { requiredThen, unvalued } = pricing;
  // A receipt that cannot be valued yet does not count as final, because completion and credit
  // happen together.
  const isFinal = (one: PlacedReceipt) => one.receipt.status === 'FINAL' && !unvalued.has(one);
  const finalReceipts = counted.filter(isFinal);
  const isUnderway = counted.some((one) => unvalued.has(one) || isUnderWay(one.receipt, facts));
  const decidePaidBy = (receipts: readonly PlacedReceipt[]) =>
    decidePaid({ facts, receipts, rateOf, requiredThen });
  const paid = decidePaidBy(finalReceipts);
  const mayComplete =
    facts.state === 'COMPLETED' || isAccepted(facts.credits, finalReceipts) || paid.isPaid;
  const releases = mayComplete
    ? releaseCredits({ facts, credited, isFinal, holding: paid.holding, rateOf })
    : { list: [], unvalued: new Set<PlacedReceipt>() };
  // What is enough waits for no rate of what came besides, which is released when there is one.
  const isReleased = (one: PlacedReceipt) => !releases.unvalued.has(one);
  const isCompleted =
    facts.state === 'COMPLETED' ||
    (mayComplete &&
      (releases.unvalued.size === 0 || decidePaidBy(finalReceipts.filter(isReleased)).isPaid));

  const waitsForRate = unvalued.size > 0 || paid.waitsForRate || releases.unvalued.size > 0;
  const state = isCompleted
    ? 'COMPLETED'
    : openState(facts, isUnderway || waitsForRate, finalReceipts.length > 0);

  return {
    state,
    credited: [
      ...(isCompleted ? pricing.credits.map(asAvailable) : pricing.credits),
      ...creditsToSuspense(placed, facts.now),
      ...creditsOfRefunded(facts, refunded, credited),
    ],
    released: isCompleted ? releases.list : [],
    reversed: reversedCredits(facts),
    returned: returnedCredits(facts),
    overpaid: overpaidBy(finalReceipts),
    lateAt: lateSince(finalReceipts),
    extraReceipts: facts.state === 'COMPLETED' ? pricing.credits.length : 0,
    paidLock: lastPaidLock(counted),
    waitsForRate,
    decideAgainAt: decideAgainAt(facts, state, counted, waitsForRate),
  };
}

/** Asked once for each lock, however many payments it has. */
function remember(currentRate: (lock: LockFacts) => CurrentRate): typeof currentRate {
  const known = new Map<LockFacts, CurrentRate>();
  return (lock) => {
    const rate = known.get(lock) ?? currentRate(lock);
    known.set(lock, rate);
    return rate;
  };
}

/** All of what the merchant accepted is still there. Less than that was never accepted. */
function isAccepted(credits: readonly Credit[], finalReceipts: readonly PlacedReceipt[]): boolean {
  const accepted = credits.filter(({ acceptedAt }) => acceptedAt !== undefined);
  if (accepted.length === 0) return false;
  const standing = new Map(finalReceipts.map(({ receipt }) => [receipt.id, receipt.generation]));
  return accepted.every(({ receiptId, generation }) => standing.get(receiptId) === generation);
}

function asAvailable(credit: Credit): Credit {
  return { ...credit, account: 'available' };
}

/** Money of another asset than was asked for is never converted by itself: suspense (4.7). */
function creditsToSuspense(placed: readonly PlacedReceipt[], now: Temporal.Instant): Credit[] {
  return placed
    .filter((one) => !one.counts && isOfOtherAsset(one) && isUncreditedFinal(one.receipt))
    .map((one) => unearnedCredit(one, 'suspense', now));
}

function isOfOtherAsset({ receipt, lock }: PlacedReceipt): boolean {
  return lock.assetId !== receipt.assetId;
}

/**
 * Refunded money that a reorganisation took away and that is back: it pays for the refund, not for
 * the checkout.
 */
function creditsOfRefunded(
  { receipts, credits, now }: SettlementFacts,
  refunded: ReadonlySet<bigint>,
  credited: ReadonlyMap<bigint, PlacedReceipt>,
): Credit[] {
  if (refunded.size === 0) return [];
  const byReceipt = Map.groupBy(credits, ({ receiptId }) => receiptId);
  return receipts
    .filter((receipt) => refunded.has(receipt.id) && isUncreditedFinal(receipt))
    .map((receipt) => {
      const lock = credited.get(receipt.id)?.lock;
      assert(lock !== undefined, 'what was refunded was paid under a lock');
      const before = byReceipt.get(receipt.id) ?? [];
      const last = before.at(-1);
      const refundId = before.findLast((one) => one.refundId !== undefined)?.refundId;
      const paysDebt = last !== undefined && isOwed(last);
      return { ...unearnedCredit({ receipt, lock }, 'refunded', now), refundId, paysDebt };
    });
}

function isUncreditedFinal(receipt: ReceiptFacts): boolean {
  return receipt.status === 'FINAL' && !isCredited(receipt) && !isReversed(receipt);
}

/** What the chain lost is taken back. If it had been refunded, the merchant owes it. */
function reversedCredits({ receipts, credits, now }: SettlementFacts): Credit[] {
  const lost = receipts.filter(isReversedNow);
  if (lost.length === 0) return [];
  const known = new Map(credits.map((credit) => [creditKey(credit), credit]));
  return lost.map(({ id, generation }) => {
    const credit = known.get(creditKey({ receiptId: id, generation }));
    assert(credit !== undefined, 'what is reversed was credited');
    return { ...credit, reversedAt: now, owedAt: credit.account === 'refunded' ? now : undefined };
  });
}

/** Owed money whose refund failed, unless it came back on the chain before. */
function returnedCredits({ credits, now }: SettlementFacts): Credit[] {
  const owed = credits.filter((credit) => isOwed(credit) && credit.account === 'pending');
  if (owed.length === 0) return [];
  const last = new Map(credits.map(({ receiptId, generation }) => [receiptId, generation]));
  return owed
    .filter(({ receiptId, generation }) => last.get(receiptId) === generation)
    .map((credit) => ({ ...credit, returnedAt: now }));
}

/** The state of a checkout that is not paid in full. */
function openState(
  facts: SettlementFacts,
  isUnderway: boolean,
  isSomePaid: boolean,
): CheckoutState {
  if (isUnderway) return 'PENDING';
  if (isSomePaid) return 'UNDERPAID';
  if (facts.cancelled) return 'CANCELLED';
  if (facts.state === 'EXPIRED' && !isBefore(facts.now, facts.expiresAt)) return 'EXPIRED';
  if (!isBefore(facts.now, facts.expiresAt) && !facts.networkBehind) return 'EXPIRED';
  return facts.locks.length > 0 ? 'AWAITING_PAYMENT' : 'NEW';
}

/**
 * Money in a block is under way until it is final. Unconfirmed money holds the checkout open for
 * one more window after the lock, so that a payment that never confirms cannot hold it for ever.
 */
function isUnderWay(receipt: ReceiptFacts, facts: SettlementFacts): boolean {
  if (receipt.status === 'INCLUDED') return true;
  return receipt.status === 'SEEN' && isBefore(facts.now, unconfirmedUntil(receipt, facts));
}

function unconfirmedUntil(receipt: ReceiptFacts, facts: SettlementFacts): Temporal.Instant {
  const from = isBefore(facts.expiresAt, receipt.seenAt) ? receipt.seenAt : facts.expiresAt;
  return from.add({ minutes: PAYMENT_WINDOW_MINUTES });
}

/** By each way to pay, against what was asked for in the last of its windows that was paid. */
function overpaidBy(finalReceipts: readonly PlacedReceipt[]): SettlementDecision['overpaid'] {
  const paid = new Map<LockFacts, bigint>();
  for (const { receipt, lock } of finalReceipts) {
    if (lock.isUnasked) continue;
    paid.set(lock, (paid.get(lock) ?? 0n) + receipt.units);
  }
  const ways = Map.groupBy(paid.keys(), (lock) => `${lock.network} ${lock.assetId}`);
  for (const locks of ways.values()) {
    const units = locks.reduce((sum, lock) => sum + (paid.get(lock) ?? 0n), 0n);
    const last = locks.reduce((one, other) =>
      isBefore(one.openedAt, other.openedAt) ? other : one,
    );
    if (units > last.arrivingUnits) {
      return { assetId: last.assetId, units: units - last.arrivingUnits };
    }
  }
  return undefined;
}

function lateSince(finalReceipts: readonly PlacedReceipt[]): Temporal.Instant | undefined {
  let first: PlacedReceipt | undefined;
  for (const one of finalReceipts) {
    if (one.lock.isUnasked) continue;
    if (one.isLate && (first === undefined || one.seenNs < first.seenNs)) first = one;
  }
  return first?.receipt.seenAt;
}

function lastPaidLock(counted: readonly PlacedReceipt[]): LockFacts | undefined {
  let last: PlacedReceipt | undefined;
  for (const one of counted) {
    if (last === undefined || isSeenAfter(one, last)) last = one;
  }
  return last?.lock;
}

function isSeenAfter(one: PlacedReceipt, other: PlacedReceipt): boolean {
  if (one.seenNs === other.seenNs) return one.receipt.id > other.receipt.id;
  return one.seenNs > other.seenNs;
}

/** After this what waits for a price, or for a network that is behind, is decided again. */
export const ASK_AGAIN_SECONDS = 3;

function decideAgainAt(
  facts: SettlementFacts,
  state: CheckoutState,
  counted: readonly PlacedReceipt[],
  waitsForRate: boolean,
): Temporal.Instant | undefined {
  const soon = facts.now.add({ seconds: ASK_AGAIN_SECONDS });
  if (waitsForRate) return soon;
  if (state === 'NEW' || state === 'AWAITING_PAYMENT') {
    return isBefore(facts.now, facts.expiresAt) ? facts.expiresAt : soon;
  }
  if (state === 'PENDING') {
    const ends = counted
      .filter(({ receipt }) => receipt.status === 'SEEN')
      .map(({ receipt }) => unconfirmedUntil(receipt, facts))
      .filter((end) => isBefore(facts.now, end))
      .sort(compareInstants);
    return ends[0];
  }
  return undefined;
}
