// What the money seen so far means. A pure function of the stored facts, the current rates and the
// time: the same facts in any order and any number of times give the same end state (S5).
//
// Guarantees: COMPLETED is never left (S1). A receipt is credited only when final, in the asset
// that was asked, and at most once per generation (R2). A lock covers the required amount and no
// more (F4). Nothing expires while its network is unheard (C8). It stores nothing and knows no
// table: settle-checkout.ts carries its answer out.

import { type CheckoutState, type CreditAccount, PAYMENT_WINDOW_MINUTES } from './checkout.ts';
import { decidePaid } from './decide-paid.ts';
import { type LockOf, lockOfReceipt, mustHaveLock } from './lock-of-receipt.ts';
import { releaseCredits } from './release-credits.ts';
import type {
  CreditDecision,
  CreditFacts,
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  ReceiptGeneration,
  SettlementDecision,
  SettlementFacts,
} from './settlement-facts.ts';
import { priceFinalReceipts } from './value-receipts.ts';

export function decideSettlement(
  facts: SettlementFacts,
  currentRate: (lock: LockFacts) => CurrentRate,
): SettlementDecision {
  const lockOf = lockOfReceipt(facts.locks);
  const rateOf = remember(currentRate);
  const reversals = facts.receipts.filter(
    (receipt) => receipt.reversalDue && hasLiveCredit(receipt),
  );
  const reversed = new Set(reversals.map((receipt) => receipt.id));
  const refunded = new Set(
    facts.credits.filter(({ account }) => account === 'refunded').map(({ receiptId }) => receiptId),
  );
  const counted = facts.receipts.filter(
    (receipt) =>
      isOfItsLock(receipt, lockOf) &&
      !isReversed(receipt) &&
      !reversed.has(receipt.id) &&
      !refunded.has(receipt.id),
  );

  const pricing = priceFinalReceipts({ facts, counted, lockOf, rateOf });
  // A receipt that cannot be valued yet does not count as final: completion and credit are one.
  const isUnvalued = (receipt: ReceiptFacts) => pricing.unvalued.has(receipt.id);
  const finalReceipts = counted.filter(
    (receipt) => receipt.status === 'FINAL' && !isUnvalued(receipt),
  );
  const underWay = counted.filter((receipt) => isUnvalued(receipt) || isUnderWay(receipt, facts));
  const { requiredThen } = pricing;
  const paid = decidePaid({ facts, receipts: finalReceipts, lockOf, rateOf, requiredThen });
  const mayComplete =
    facts.state === 'COMPLETED' || isAccepted(facts.credits, finalReceipts) || paid.isPaid;
  const releases = mayComplete
    ? releaseCredits({ facts, finalReceipts, firm: paid.firm, lockOf, rateOf })
    : { list: [], waitsForRate: false };
  const isCompleted = facts.state === 'COMPLETED' || (mayComplete && !releases.waitsForRate);

  const account: CreditAccount = isCompleted ? 'available' : 'pending';
  const credits = [
    ...pricing.credits.map((credit) => ({ ...credit, account, paysDebt: false })),
    ...creditsToSuspense(facts, lockOf),
    ...creditsOfRefunded(facts, refunded, lockOf),
  ];
  const waitsForRate = pricing.unvalued.size > 0 || paid.waitsForRate || releases.waitsForRate;
  const state = isCompleted
    ? 'COMPLETED'
    : openState(facts, underWay.length > 0 || waitsForRate, finalReceipts);

  return {
    state,
    credits,
    releases: isCompleted ? releases.list : [],
    reversals: reversals.map(({ id, generation }) => ({ receiptId: id, generation })),
    returns: returnsOf(facts.credits),
    overpaid: overpaidBy(finalReceipts, lockOf),
    lateAt: lateSince(finalReceipts, lockOf),
    extraReceipts: facts.state === 'COMPLETED' ? pricing.credits.length : 0,
    paidLock: lastPaidLock(counted, lockOf),
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

/** What the merchant took as enough is still there, all of it: less was never accepted. */
function isAccepted(
  credits: readonly CreditFacts[],
  finalReceipts: readonly ReceiptFacts[],
): boolean {
  const accepted = credits.filter((credit) => credit.accepted);
  const standing = new Map(finalReceipts.map(({ id, generation }) => [id, generation]));
  return (
    accepted.length > 0 &&
    accepted.every(({ receiptId, generation }) => standing.get(receiptId) === generation)
  );
}

function hasLiveCredit(receipt: ReceiptFacts): boolean {
  return receipt.creditedGeneration === receipt.generation && !isReversed(receipt);
}

function isReversed(receipt: ReceiptFacts): boolean {
  return receipt.reversedGeneration === receipt.generation;
}

function isOfItsLock(receipt: ReceiptFacts, lockOf: LockOf): boolean {
  return receipt.status !== 'GONE' && receipt.assetId === lockOf(receipt)?.assetId;
}

/** Money of another asset than was asked for is never converted by itself: suspense (4.7). */
function creditsToSuspense(facts: SettlementFacts, lockOf: LockOf): CreditDecision[] {
  return facts.receipts
    .filter((receipt) => receipt.status === 'FINAL' && !isReversed(receipt))
    .filter((receipt) => receipt.creditedGeneration !== receipt.generation)
    .flatMap((receipt) => {
      const lock = lockOf(receipt);
      if (lock === undefined || lock.assetId === receipt.assetId) return [];
      return [unearnedCredit(receipt, lock, 'suspense')];
    });
}

/**
 * Refunded money that a reorganisation took away and that is back: it pays for the refund, not for
 * the checkout.
 */
function creditsOfRefunded(
  facts: SettlementFacts,
  refunded: ReadonlySet<bigint>,
  lockOf: LockOf,
): CreditDecision[] {
  return facts.receipts
    .filter((receipt) => receipt.status === 'FINAL' && refunded.has(receipt.id))
    .filter((receipt) => receipt.creditedGeneration !== receipt.generation && !isReversed(receipt))
    .map((receipt) => {
      const lock = mustHaveLock(lockOf, receipt);
      const before = facts.credits.findLast(({ receiptId }) => receiptId === receipt.id);
      return { ...unearnedCredit(receipt, lock, 'refunded'), paysDebt: before?.owed === true };
    });
}

/** Owed money whose refund failed, unless it came back on the chain before. */
function returnsOf(credits: readonly CreditFacts[]): ReceiptGeneration[] {
  const last = new Map(credits.map(({ receiptId, generation }) => [receiptId, generation]));
  return credits
    .filter(({ owed, account }) => owed && account === 'pending')
    .filter(({ receiptId, generation }) => last.get(receiptId) === generation)
    .map(({ receiptId, generation }) => ({ receiptId, generation }));
}

function unearnedCredit(
  receipt: ReceiptFacts,
  lock: LockFacts,
  account: 'suspense' | 'refunded',
): CreditDecision {
  return {
    receiptId: receipt.id,
    generation: receipt.generation,
    network: lock.network,
    assetId: receipt.assetId,
    units: receipt.units,
    lockedUnits: 0n,
    rateBasis: 'NONE',
    settlementAssetId: receipt.assetId,
    settlementUnits: 0n,
    netUnits: 0n,
    feeUnits: 0n,
    current: undefined,
    requiredNowUnits: undefined,
    requiredRateIds: [],
    lockOpenedAt: lock.openedAt,
    account,
    paysDebt: false,
  };
}

/** The state of a checkout that is not paid in full. */
function openState(
  facts: SettlementFacts,
  isUnderway: boolean,
  finalReceipts: readonly ReceiptFacts[],
): CheckoutState {
  if (isUnderway) return 'PENDING';
  if (finalReceipts.length > 0) return 'UNDERPAID';
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
function overpaidBy(
  finalReceipts: readonly ReceiptFacts[],
  lockOf: LockOf,
): SettlementDecision['overpaid'] {
  const ways = new Map<string, { lock: LockFacts; units: bigint }>();
  for (const receipt of finalReceipts) {
    const lock = mustHaveLock(lockOf, receipt);
    const way = `${lock.network} ${lock.assetId}`;
    const before = ways.get(way);
    const isLater =
      before === undefined || Temporal.Instant.compare(before.lock.openedAt, lock.openedAt) < 0;
    const units = (before?.units ?? 0n) + receipt.units;
    ways.set(way, { lock: isLater ? lock : before.lock, units });
  }
  for (const { lock, units } of ways.values()) {
    if (units > lock.paymentUnits) {
      return { assetId: lock.assetId, units: units - lock.paymentUnits };
    }
  }
  return undefined;
}

function lateSince(
  finalReceipts: readonly ReceiptFacts[],
  lockOf: LockOf,
): Temporal.Instant | undefined {
  let first: Temporal.Instant | undefined;
  for (const receipt of finalReceipts) {
    const { expiresAt } = mustHaveLock(lockOf, receipt);
    const isLate = isBefore(expiresAt, receipt.seenAt);
    if (isLate && (first === undefined || isBefore(receipt.seenAt, first))) first = receipt.seenAt;
  }
  return first;
}

function lastPaidLock(counted: readonly ReceiptFacts[], lockOf: LockOf): LockFacts | undefined {
  let last: ReceiptFacts | undefined;
  for (const receipt of counted) {
    const order = last === undefined ? 1 : Temporal.Instant.compare(receipt.seenAt, last.seenAt);
    if (order > 0 || (order === 0 && last !== undefined && receipt.id > last.id)) last = receipt;
  }
  return last && lockOf(last);
}

const ASK_AGAIN_SECONDS = 3;

function decideAgainAt(
  facts: SettlementFacts,
  state: CheckoutState,
  counted: readonly ReceiptFacts[],
  waitsForRate: boolean,
): Temporal.Instant | undefined {
  const soon = facts.now.add({ seconds: ASK_AGAIN_SECONDS });
  if (waitsForRate) return soon;
  if (state === 'NEW' || state === 'AWAITING_PAYMENT') {
    return isBefore(facts.now, facts.expiresAt) ? facts.expiresAt : soon;
  }
  if (state === 'PENDING') {
    const ends = counted
      .filter((receipt) => receipt.status === 'SEEN')
      .map((receipt) => unconfirmedUntil(receipt, facts))
      .filter((end) => isBefore(facts.now, end))
      .sort(Temporal.Instant.compare);
    return ends[0];
  }
  return undefined;
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
