// What final receipts are worth to the merchant: the part under a lock at the guaranteed rate, the
// rest at the rate of the moment. Pure; rounding is named at each division.

import { convertUnits, divideUnits } from '#money/rate.ts';
import { isInTime, type LockOf, mustHaveLock } from './lock-of-receipt.ts';
import type {
  CreditDecision,
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementFacts,
  Value,
} from './settlement-facts.ts';

const PARTS_PER_MILLION = 1_000_000n;

export type PricedCredit = Omit<CreditDecision, 'account' | 'paysDebt'>;

export type Pricing = {
  readonly credits: readonly PricedCredit[];
  /** By receipt: what the whole charge cost when money that is not locked became final. */
  readonly requiredThen: ReadonlyMap<bigint, bigint>;
  /** Final receipts that nobody can value now, for want of a rate. */
  readonly unvalued: ReadonlySet<bigint>;
};

export type PricingQuestion = {
  readonly facts: SettlementFacts;
  readonly counted: readonly ReceiptFacts[];
  readonly lockOf: LockOf;
  readonly rateOf: (lock: LockFacts) => CurrentRate;
};

/** Values each final receipt that the ledger does not know yet. */
export function priceFinalReceipts(question: PricingQuestion): Pricing {
  const { facts, counted, lockOf, rateOf } = question;
  const credits: PricedCredit[] = [];
  const unvalued = new Set<bigint>();
  const { lockedSoFar, requiredThen } = creditedBefore(question);

  for (const receipt of counted) {
    if (receipt.status !== 'FINAL' || receipt.creditedGeneration === receipt.generation) continue;
    const lock = mustHaveLock(lockOf, receipt);
    const allocated = lockedSoFar.get(lock) ?? 0n;
    const isLocked = isInTime(receipt, lock);
    const rate = rateOf(lock);
    const valued = valueReceipt(receipt, lock, allocated, isLocked, rate, facts);
    const required = isLocked ? undefined : rate.requiredUnits;
    // What came late counts by what it is worth; after completion it has nothing to count for.
    const isUnknown = !isLocked && required === undefined && facts.state !== 'COMPLETED';
    if (valued === undefined || isUnknown) {
      unvalued.add(receipt.id);
      continue;
    }
    lockedSoFar.set(lock, allocated + valued.lockedUnits);
    if (required !== undefined) requiredThen.set(receipt.id, required);
    credits.push({
      receiptId: receipt.id,
      generation: receipt.generation,
      network: lock.network,
      assetId: receipt.assetId,
      units: receipt.units,
      settlementAssetId: lock.settlementAssetId,
      requiredNowUnits: required,
      requiredRateIds: required === undefined ? [] : rate.requiredRateIds,
      lockOpenedAt: lock.openedAt,
      ...valued,
    });
  }
  return { credits, requiredThen, unvalued };
}

/**
 * How much of each lock is used, and what late money was measured by. A lock covers the required
 * amount once: what was refunded has used it, whatever comes afterwards and even if the refund
 * fails.
 */
function creditedBefore({ facts, lockOf }: PricingQuestion) {
  const receipts = new Map(facts.receipts.map((receipt) => [receipt.id, receipt]));
  const lockedSoFar = new Map<LockFacts, bigint>();
  const requiredThen = new Map<bigint, bigint>();
  for (const credit of facts.credits) {
    const receipt = receipts.get(credit.receiptId);
    const lock = receipt && lockOf(receipt);
    if (receipt === undefined || lock === undefined) continue;
    if (credit.reversed || credit.generation !== receipt.generation || receipt.reversalDue)
      continue;
    lockedSoFar.set(lock, (lockedSoFar.get(lock) ?? 0n) + credit.lockedUnits);
    if (credit.requiredNowUnits !== undefined) {
      requiredThen.set(receipt.id, credit.requiredNowUnits);
    }
  }
  return { lockedSoFar, requiredThen };
}

/**
 * Rounding: the part under the lock is the difference of two running totals, each rounded down, so
 * that parts that fill the lock add up to exactly what was guaranteed; the rest and the net amount
 * round down, and the fee is the difference.
 */
function valueReceipt(
  receipt: ReceiptFacts,
  lock: LockFacts,
  allocated: bigint,
  isLocked: boolean,
  rate: CurrentRate,
  { feePartsPerMillion }: SettlementFacts,
): Value | undefined {
  const free = lock.paymentUnits > allocated ? lock.paymentUnits - allocated : 0n;
  const lockedUnits = isLocked ? min(receipt.units, free) : 0n;
  const current = currentValue(receipt.units - lockedUnits, lock, rate, feePartsPerMillion);
  if (current === undefined) return undefined;
  if (lockedUnits === 0n) return current;

  const share = (whole: bigint) =>
    divideUnits((allocated + lockedUnits) * whole, lock.paymentUnits, 'down') -
    divideUnits(allocated * whole, lock.paymentUnits, 'down');
  const lockedSettlement = share(lock.settlementUnits);
  const lockedNet = min(share(lock.netUnits), lockedSettlement);
  const isMixed = lockedUnits < receipt.units;
  const settlementUnits = lockedSettlement + current.settlementUnits;
  const netUnits = lockedNet + current.netUnits;
  return {
    lockedUnits,
    rateBasis: isMixed ? 'MIXED' : 'LOCKED',
    settlementUnits,
    netUnits,
    feeUnits: settlementUnits - netUnits,
    current: isMixed ? current.current : undefined,
  };
}

/** What units are worth at the rate of the moment; undefined without one. */
export function currentValue(
  units: bigint,
  lock: LockFacts,
  { toSettlement: market, rateIds: marketRateIds }: CurrentRate,
  feePartsPerMillion: number,
): Value | undefined {
  const isOrigin = lock.settlementAssetId === lock.assetId;
  const toSettlement = isOrigin ? { numerator: 1n, denominator: 1n } : market;
  if (toSettlement === undefined && units > 0n) return undefined;
  const settlementUnits =
    toSettlement === undefined ? 0n : convertUnits(units, toSettlement, 'down');
  const keep = PARTS_PER_MILLION - BigInt(feePartsPerMillion);
  const netUnits = divideUnits(settlementUnits * keep, PARTS_PER_MILLION, 'down');
  return {
    lockedUnits: 0n,
    rateBasis: 'CURRENT',
    settlementUnits,
    netUnits,
    feeUnits: settlementUnits - netUnits,
    current: { toSettlement, rateIds: isOrigin ? [] : marketRateIds },
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
