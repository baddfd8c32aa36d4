// What the money seen so far means. A pure function of the stored facts, the current rates and the
// time: the same facts in any order and any number of times give the same end state (S5).
//
// Guarantees: COMPLETED is never left (S1). A receipt is credited only when final, in the asset
// that was asked, and at most once per generation (R2). A lock covers the required amount and no
// more (F4). Nothing expires while its network is unheard (C8). It stores nothing and knows no
// table: settle-checkout.ts carries its answer out.

import { assert } from '#base/assert.ts';
import { type CheckoutState, type CreditAccount, PAYMENT_WINDOW_MINUTES } from './checkout.ts';
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

const PARTS_PER_MILLION = 1_000_000n;

/** Exact fraction of the charge that is paid. */
type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export function decideSettlement(
  facts: SettlementFacts,
  currentRate: (lock: LockFacts) => CurrentRate,
): SettlementDecision {
  const locks = new Map(facts.locks.map((lock) => [lock.instructionId, lock]));
  const reversals = facts.receipts.filter(
    (receipt) => receipt.reversalDue && hasLiveCredit(receipt),
  );
  const reversed = new Set(reversals.map((receipt) => receipt.id));
  const refunded = new Set(
    facts.credits.filter(({ account }) => account === 'refunded').map(({ receiptId }) => receiptId),
  );
  const counted = facts.receipts.filter(
    (receipt) =>
      isOfItsLock(receipt, locks) &&
      !isReversed(receipt) &&
      !reversed.has(receipt.id) &&
      !refunded.has(receipt.id),
  );

  const pricing = priceFinalReceipts(facts, counted, locks, currentRate);
  // A receipt that cannot be valued yet does not count as final: completion and credit are one.
  const isUnvalued = (receipt: ReceiptFacts) => pricing.unvalued.has(receipt.id);
  const finalReceipts = counted.filter(
    (receipt) => receipt.status === 'FINAL' && !isUnvalued(receipt),
  );
  const underWay = counted.filter((receipt) => isUnvalued(receipt) || isUnderWay(receipt, facts));
  const paid = paidFraction(finalReceipts, locks, pricing.requiredNow);
  const isCompleted =
    facts.state === 'COMPLETED' ||
    (finalReceipts.length > 0 && facts.acceptedUnderpaid) ||
    isPaidInFull(paid, facts.underpaidTolerancePartsPerMillion);

  const account: CreditAccount = isCompleted ? 'available' : 'pending';
  const credits = [
    ...pricing.credits.map((credit) => ({ ...credit, account, paysDebt: false })),
    ...creditsToSuspense(facts, locks),
    ...creditsOfRefunded(facts, refunded, locks),
  ];
  const state = isCompleted ? 'COMPLETED' : openState(facts, underWay, finalReceipts);

  return {
    state,
    credits,
    releases: isCompleted ? releasesOf(facts, finalReceipts) : [],
    reversals: reversals.map(({ id, generation }) => ({ receiptId: id, generation })),
    returns: returnsOf(facts.credits),
    overpaid: overpaidBy(facts, finalReceipts, locks),
    lateAt: lateSince(finalReceipts, locks),
    extraReceipts: facts.state === 'COMPLETED' ? pricing.credits.length : 0,
    paidLock: lastPaidLock(counted, locks),
    waitsForRate: pricing.unvalued.size > 0,
    decideAgainAt: decideAgainAt(facts, state, counted, pricing.unvalued.size > 0),
  };
}

function hasLiveCredit(receipt: ReceiptFacts): boolean {
  return receipt.creditedGeneration === receipt.generation && !isReversed(receipt);
}

function isReversed(receipt: ReceiptFacts): boolean {
  return receipt.reversedGeneration === receipt.generation;
}

function isOfItsLock(receipt: ReceiptFacts, locks: ReadonlyMap<string, LockFacts>): boolean {
  const lock = locks.get(receipt.instructionId);
  return lock !== undefined && receipt.status !== 'GONE' && receipt.assetId === lock.assetId;
}

/**
 * S2: the sum over final receipts of amount / amount required by its own lock; for money that came
 * late the larger of that and its share of what the charge cost when it became final.
 */
function paidFraction(
  finalReceipts: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
  requiredNow: ReadonlyMap<bigint, bigint>,
): Fraction {
  let sum: Fraction = { numerator: 0n, denominator: 1n };
  for (const receipt of finalReceipts) {
    const lock = locks.get(receipt.instructionId);
    assert(lock !== undefined, 'a counted receipt has its lock');
    const now = requiredNow.get(receipt.id);
    const required = now !== undefined && now < lock.paymentUnits ? now : lock.paymentUnits;
    sum = {
      numerator: sum.numerator * required + receipt.units * sum.denominator,
      denominator: sum.denominator * required,
    };
  }
  return sum;
}

function isPaidInFull(paid: Fraction, tolerancePartsPerMillion: number): boolean {
  if (paid.numerator === 0n) return false;
  const needed = PARTS_PER_MILLION - BigInt(tolerancePartsPerMillion);
  return paid.numerator * PARTS_PER_MILLION >= paid.denominator * needed;
}

/** Money of another asset than was asked for is never converted by itself: suspense (4.7). */
function creditsToSuspense(
  facts: SettlementFacts,
  locks: ReadonlyMap<string, LockFacts>,
): CreditDecision[] {
  return facts.receipts
    .filter((receipt) => receipt.status === 'FINAL' && !isReversed(receipt))
    .filter((receipt) => receipt.creditedGeneration !== receipt.generation)
    .flatMap((receipt) => {
      const lock = locks.get(receipt.instructionId);
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
  locks: ReadonlyMap<string, LockFacts>,
): CreditDecision[] {
  return facts.receipts
    .filter((receipt) => receipt.status === 'FINAL' && refunded.has(receipt.id))
    .filter((receipt) => receipt.creditedGeneration !== receipt.generation && !isReversed(receipt))
    .map((receipt) => {
      const lock = locks.get(receipt.instructionId);
      assert(lock !== undefined, 'what was refunded was asked for');
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
    requiredNowUnits: undefined,
    account,
    paysDebt: false,
  };
}

/**
 * What was credited as pending and still stands goes to the merchant when the checkout completes.
 */
function releasesOf(
  facts: SettlementFacts,
  finalReceipts: readonly ReceiptFacts[],
): ReceiptGeneration[] {
  return facts.credits
    .filter((credit) => credit.account === 'pending' && !credit.released && !credit.reversed)
    .filter((credit) =>
      finalReceipts.some(
        ({ id, generation }) => id === credit.receiptId && generation === credit.generation,
      ),
    )
    .map(({ receiptId, generation }) => ({ receiptId, generation }));
}

/** The state of a checkout that is not paid in full. */
function openState(
  facts: SettlementFacts,
  underWay: readonly ReceiptFacts[],
  finalReceipts: readonly ReceiptFacts[],
): CheckoutState {
  if (underWay.length > 0) return 'PENDING';
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

function overpaidBy(
  facts: SettlementFacts,
  finalReceipts: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
): SettlementDecision['overpaid'] {
  for (const lock of facts.locks) {
    const units = finalReceipts
      .filter((receipt) => locks.get(receipt.instructionId) === lock)
      .reduce((sum, receipt) => sum + receipt.units, 0n);
    if (units > lock.paymentUnits) {
      return { assetId: lock.assetId, units: units - lock.paymentUnits };
    }
  }
  return undefined;
}

function lateSince(
  finalReceipts: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
): Temporal.Instant | undefined {
  return finalReceipts
    .filter((receipt) => {
      const lock = locks.get(receipt.instructionId);
      return lock !== undefined && isBefore(lock.expiresAt, receipt.seenAt);
    })
    .map((receipt) => receipt.seenAt)
    .sort(Temporal.Instant.compare)[0];
}

function lastPaidLock(
  counted: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
): LockFacts | undefined {
  const last = [...counted].sort(
    (a, b) => Temporal.Instant.compare(a.seenAt, b.seenAt) || (a.id < b.id ? -1 : 1),
  );
  const receipt = last.at(-1);
  return receipt === undefined ? undefined : locks.get(receipt.instructionId);
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
