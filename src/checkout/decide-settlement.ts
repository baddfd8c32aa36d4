// What the money seen so far means. A pure function of the stored facts, the current rates and the
// time: the same facts in any order and any number of times give the same end state (S5).
//
// Guarantees: COMPLETED is never left (S1). A receipt is credited only when final, in the asset that
// was asked, and at most once per generation (R2). A lock covers the required amount and no more
// (F4). Nothing expires while its network is unheard (C8).
// It stores nothing and knows no table: settle-checkout.ts carries its answer out.

import { assert } from '#base/assert.ts';
import { convertUnits, divideUnits, type Rate } from '#money/rate.ts';
import {
  type CheckoutState,
  type CreditAccount,
  PAYMENT_WINDOW_MINUTES,
  type RateBasis,
} from './checkout.ts';

const PARTS_PER_MILLION = 1_000_000n;

export type SettlementFacts = {
  readonly state: CheckoutState;
  readonly expiresAt: Temporal.Instant;
  readonly cancelled: boolean;
  readonly acceptedUnderpaid: boolean;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  readonly locks: readonly LockFacts[];
  /** In the order in which they became final or were seen. */
  readonly receipts: readonly ReceiptFacts[];
  readonly credits: readonly CreditFacts[];
  /** Whether the watcher of a committed network is behind or cannot be asked. */
  readonly networkBehind: boolean;
  readonly now: Temporal.Instant;
};

export type LockFacts = {
  readonly instructionId: string;
  readonly network: string;
  readonly assetId: string;
  readonly paymentUnits: bigint;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly expiresAt: Temporal.Instant;
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
  readonly requiredNowUnits: bigint | undefined;
  readonly account: CreditAccount;
  readonly released: boolean;
  readonly reversed: boolean;
};

/** Rates of this moment for one way to pay; undefined where one is missing or stale. */
export type CurrentRate = {
  /** Settlement units per payment unit. */
  readonly toSettlement: Rate | undefined;
  /** What the whole charge costs now, in payment units. */
  readonly requiredUnits: bigint | undefined;
};

export type CreditDecision = {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly lockedUnits: bigint;
  readonly rateBasis: RateBasis;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly requiredNowUnits: bigint | undefined;
  readonly account: CreditAccount;
};

export type ReceiptGeneration = { readonly receiptId: bigint; readonly generation: number };

export type SettlementDecision = {
  readonly state: CheckoutState;
  readonly credits: readonly CreditDecision[];
  readonly releases: readonly ReceiptGeneration[];
  readonly reversals: readonly ReceiptGeneration[];
  /** Money above what was required, of the lock that was overpaid. */
  readonly overpaid: { readonly assetId: string; readonly units: bigint } | undefined;
  /** When money that counts was first seen after its lock had ended. */
  readonly lateAt: Temporal.Instant | undefined;
  /** Receipts that became final after completion. */
  readonly extraReceipts: number;
  /** The lock that money arrived for last, if any did. */
  readonly paidLock: LockFacts | undefined;
  /** A rate is missing without which a receipt cannot be converted: decide again soon. */
  readonly waitsForRate: boolean;
  /** When time alone can change the answer. */
  readonly decideAgainAt: Temporal.Instant | undefined;
};

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
  const counted = facts.receipts.filter(
    (receipt) => isOfItsLock(receipt, locks) && !isReversed(receipt) && !reversed.has(receipt.id),
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
    ...pricing.credits.map((credit) => ({ ...credit, account })),
    ...creditsToSuspense(facts, locks),
  ];
  const state = isCompleted ? 'COMPLETED' : openState(facts, underWay, finalReceipts);

  return {
    state,
    credits,
    releases: isCompleted ? releasesOf(facts, finalReceipts) : [],
    reversals: reversals.map(({ id, generation }) => ({ receiptId: id, generation })),
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
 * LOCKED when the version that confirmed was first seen before the lock ended and its block came no
 * later than one more window (F2, payments.md Quotes). Instant networks state the time of the payment.
 */
function isLocked(receipt: ReceiptFacts, lock: LockFacts): boolean {
  const latestBlock = lock.expiresAt.add({ minutes: PAYMENT_WINDOW_MINUTES });
  return (
    Temporal.Instant.compare(receipt.seenAt, lock.expiresAt) <= 0 &&
    (receipt.minedAt === undefined || Temporal.Instant.compare(receipt.minedAt, latestBlock) <= 0)
  );
}

type Pricing = {
  readonly credits: readonly Omit<CreditDecision, 'account'>[];
  /** By receipt: what the whole charge cost when money that is not locked became final. */
  readonly requiredNow: ReadonlyMap<bigint, bigint>;
  /** Final receipts that cannot be converted now, for want of a rate. */
  readonly unvalued: ReadonlySet<bigint>;
};

/** Values each final receipt that the ledger does not know yet. */
function priceFinalReceipts(
  facts: SettlementFacts,
  counted: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
  currentRate: (lock: LockFacts) => CurrentRate,
): Pricing {
  const credits: Omit<CreditDecision, 'account'>[] = [];
  const requiredNow = new Map<bigint, bigint>();
  const lockedSoFar = new Map<string, bigint>();
  const unvalued = new Set<bigint>();

  for (const credit of facts.credits) {
    if (credit.reversed || credit.account === 'suspense') continue;
    const receipt = facts.receipts.find(({ id }) => id === credit.receiptId);
    assert(receipt !== undefined, 'a credit names a receipt of its checkout');
    if (credit.generation !== receipt.generation) continue;
    if (receipt.reversalDue) continue;
    const locked = lockedSoFar.get(receipt.instructionId) ?? 0n;
    lockedSoFar.set(receipt.instructionId, locked + credit.lockedUnits);
    if (credit.requiredNowUnits !== undefined) requiredNow.set(receipt.id, credit.requiredNowUnits);
  }

  for (const receipt of counted) {
    if (receipt.status !== 'FINAL' || receipt.creditedGeneration === receipt.generation) continue;
    const lock = locks.get(receipt.instructionId);
    assert(lock !== undefined, 'a counted receipt has its lock');
    const allocated = lockedSoFar.get(lock.instructionId) ?? 0n;
    const rate = currentRate(lock);
    const valued = valueReceipt(receipt, lock, allocated, rate, facts.feePartsPerMillion);
    if (valued === undefined) {
      unvalued.add(receipt.id);
      continue;
    }
    lockedSoFar.set(lock.instructionId, allocated + valued.lockedUnits);
    const late = !isLocked(receipt, lock);
    const required = late ? rate.requiredUnits : undefined;
    if (required !== undefined) requiredNow.set(receipt.id, required);
    credits.push({
      receiptId: receipt.id,
      generation: receipt.generation,
      network: lock.network,
      assetId: receipt.assetId,
      units: receipt.units,
      settlementAssetId: lock.settlementAssetId,
      requiredNowUnits: required,
      ...valued,
    });
  }
  return { credits, requiredNow, unvalued };
}

type Value = Pick<
  CreditDecision,
  'lockedUnits' | 'rateBasis' | 'settlementUnits' | 'netUnits' | 'feeUnits'
>;

/**
 * Rounding: the part under the lock is the difference of two running totals, each rounded down, so
 * that parts that fill the lock add up to exactly what was guaranteed; the rest and the net amount
 * round down, and the fee is the difference.
 */
function valueReceipt(
  receipt: ReceiptFacts,
  lock: LockFacts,
  allocated: bigint,
  current: CurrentRate,
  feePartsPerMillion: number,
): Value | undefined {
  const free = lock.paymentUnits > allocated ? lock.paymentUnits - allocated : 0n;
  const lockedUnits = !isLocked(receipt, lock) ? 0n : min(receipt.units, free);
  const currentUnits = receipt.units - lockedUnits;
  const isOrigin = lock.settlementAssetId === lock.assetId;
  const toSettlement = isOrigin ? { numerator: 1n, denominator: 1n } : current.toSettlement;
  if (currentUnits > 0n && toSettlement === undefined) return undefined;

  const share = (whole: bigint) =>
    divideUnits((allocated + lockedUnits) * whole, lock.paymentUnits, 'down') -
    divideUnits(allocated * whole, lock.paymentUnits, 'down');
  const lockedSettlement = lockedUnits > 0n ? share(lock.settlementUnits) : 0n;
  const lockedNet = lockedUnits > 0n ? share(lock.netUnits) : 0n;
  const currentSettlement =
    currentUnits > 0n && toSettlement !== undefined
      ? convertUnits(currentUnits, toSettlement, 'down')
      : 0n;
  const keep = PARTS_PER_MILLION - BigInt(feePartsPerMillion);
  const currentNet = divideUnits(currentSettlement * keep, PARTS_PER_MILLION, 'down');

  const settlementUnits = lockedSettlement + currentSettlement;
  const netUnits = min(lockedNet, lockedSettlement) + currentNet;
  const rateBasis = currentUnits === 0n ? 'LOCKED' : lockedUnits === 0n ? 'CURRENT' : 'MIXED';
  return {
    lockedUnits,
    rateBasis,
    settlementUnits,
    netUnits,
    feeUnits: settlementUnits - netUnits,
  };
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
      return [
        {
          receiptId: receipt.id,
          generation: receipt.generation,
          network: lock.network,
          assetId: receipt.assetId,
          units: receipt.units,
          lockedUnits: 0n,
          rateBasis: 'NONE' as const,
          settlementAssetId: receipt.assetId,
          settlementUnits: 0n,
          netUnits: 0n,
          feeUnits: 0n,
          requiredNowUnits: undefined,
          account: 'suspense' as const,
        },
      ];
    });
}

/** What was credited as pending and still stands goes to the merchant when the checkout completes. */
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
 * Money in a block is under way until it is final. Unconfirmed money holds the checkout open for one
 * more window after the lock, so that a payment that never confirms cannot hold it for ever.
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

const ASK_AGAIN_SECONDS = 15;

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

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
