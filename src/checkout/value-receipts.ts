// What final receipts are worth to the merchant: the part under a lock at the guaranteed rate, the
// rest at the rate of the moment. Pure; rounding is named at each division.

import { assert } from '#base/assert.ts';
import { convertUnits, divideUnits } from '#money/rate.ts';
import { PAYMENT_WINDOW_MINUTES } from './checkout.ts';
import type {
  CreditDecision,
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementFacts,
} from './settlement-facts.ts';

const PARTS_PER_MILLION = 1_000_000n;

/**
 * LOCKED when the version that confirmed was first seen before the lock ended and its block came no
 * later than one more window (F2, payments.md Quotes). Instant networks state the time of the
 * payment.
 */
function isLocked(receipt: ReceiptFacts, lock: LockFacts): boolean {
  const latestBlock = lock.expiresAt.add({ minutes: PAYMENT_WINDOW_MINUTES });
  return (
    Temporal.Instant.compare(receipt.seenAt, lock.expiresAt) <= 0 &&
    (receipt.minedAt === undefined || Temporal.Instant.compare(receipt.minedAt, latestBlock) <= 0)
  );
}

export type Pricing = {
  readonly credits: readonly Omit<CreditDecision, 'account' | 'paysDebt'>[];
  /** By receipt: what the whole charge cost when money that is not locked became final. */
  readonly requiredNow: ReadonlyMap<bigint, bigint>;
  /** Final receipts that cannot be converted now, for want of a rate. */
  readonly unvalued: ReadonlySet<bigint>;
};

/** Values each final receipt that the ledger does not know yet. */
export function priceFinalReceipts(
  facts: SettlementFacts,
  counted: readonly ReceiptFacts[],
  locks: ReadonlyMap<string, LockFacts>,
  currentRate: (lock: LockFacts) => CurrentRate,
): Pricing {
  const credits: Omit<CreditDecision, 'account' | 'paysDebt'>[] = [];
  const requiredNow = new Map<bigint, bigint>();
  const lockedSoFar = new Map<string, bigint>();
  const unvalued = new Set<bigint>();

  for (const credit of facts.credits) {
    if (credit.reversed || credit.account === 'suspense' || credit.account === 'refunded') {
      continue;
    }
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

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
