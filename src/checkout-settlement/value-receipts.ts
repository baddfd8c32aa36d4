// What final receipts are worth to the merchant: the part under a lock at the guaranteed rate, the
// rest at the rate of the moment. Pure; rounding is named at each division.

import type { Credit } from '#checkout/credit.ts';
import { convertUnits, divideUnits } from '#money/rate.ts';
import { isCredited, type PlacedReceipt } from './place-receipts.ts';
import type { CurrentRate, LockFacts, SettlementFacts } from './settlement-facts.ts';

const PARTS_PER_MILLION = 1_000_000n;

/** What a payment is worth to the merchant. */
type Value = Pick<
  Credit,
  'lockedUnits' | 'rateBasis' | 'settlementUnits' | 'netUnits' | 'feeUnits'
>;

type Pricing = {
  /** Each as pending: whether they complete the sale is not known yet. */
  readonly credits: readonly Credit[];
  /** By receipt: what the whole charge cost when money that is not locked became final. */
  readonly requiredThen: ReadonlyMap<bigint, bigint>;
  /** Final receipts that nobody can value now, for want of a rate. */
  readonly unvalued: ReadonlySet<PlacedReceipt>;
};

type PricingQuestion = {
  readonly facts: SettlementFacts;
  readonly credited: ReadonlyMap<bigint, PlacedReceipt>;
  readonly counted: readonly PlacedReceipt[];
  readonly rateOf: (lock: LockFacts) => CurrentRate;
};

/** Values each final receipt that the ledger does not know yet. */
export function priceFinalReceipts(question: PricingQuestion): Pricing {
  const { facts, counted, rateOf } = question;
  const credits: Credit[] = [];
  const unvalued = new Set<PlacedReceipt>();
  const { lockedSoFar, requiredThen } = creditedBefore(question);

  for (const placed of counted) {
    const { receipt, lock, isInTime } = placed;
    if (receipt.status !== 'FINAL' || isCredited(receipt)) continue;
    const allocated = lockedSoFar.get(lock) ?? 0n;
    const rate = rateOf(lock);
    const value = valueReceipt(placed, allocated, rate, facts);
    const requiredNowUnits = isInTime ? undefined : rate.requiredUnits;
    // Late money counts by its worth. After completion there is nothing left for it to pay.
    const isUnknown = !isInTime && requiredNowUnits === undefined && facts.state !== 'COMPLETED';
    if (value === undefined || isUnknown) {
      unvalued.add(placed);
      continue;
    }
    lockedSoFar.set(lock, allocated + value.lockedUnits);
    if (requiredNowUnits !== undefined) requiredThen.set(receipt.id, requiredNowUnits);
    credits.push(newCredit({ placed, value, requiredNowUnits, rate }, 'pending', facts.now));
  }
  return { credits, requiredThen, unvalued };
}

/** Money that is worth nothing to the merchant stays as it came. */
export function unearnedCredit(
  placed: Pick<PlacedReceipt, 'receipt' | 'lock'>,
  account: 'suspense' | 'refunded',
  now: Temporal.Instant,
): Credit {
  const priced = { placed, value: WORTHLESS, requiredNowUnits: undefined, rate: undefined };
  return newCredit(priced, account, now);
}

const WORTHLESS: Value = {
  lockedUnits: 0n,
  rateBasis: 'NONE',
  settlementUnits: 0n,
  netUnits: 0n,
  feeUnits: 0n,
};

type PricedReceipt = {
  readonly placed: Pick<PlacedReceipt, 'receipt' | 'lock'>;
  readonly value: Value;
  readonly requiredNowUnits: bigint | undefined;
  /** Undefined for what is worth nothing. */
  readonly rate: CurrentRate | undefined;
};

/** Each field by name: to spread several objects into one takes several times as long. */
function newCredit(
  { placed: { receipt, lock }, value, requiredNowUnits, rate }: PricedReceipt,
  account: Credit['account'],
  now: Temporal.Instant,
): Credit {
  return {
    receiptId: receipt.id,
    generation: receipt.generation,
    network: lock.network,
    assetId: receipt.assetId,
    units: receipt.units,
    lockedUnits: value.lockedUnits,
    rateBasis: value.rateBasis,
    // What is refunded may come back, and is then credited in the asset of its lock.
    settlementAssetId: account === 'suspense' ? receipt.assetId : lock.settlementAssetId,
    settlementUnits: value.settlementUnits,
    netUnits: value.netUnits,
    feeUnits: value.feeUnits,
    requiredNowUnits,
    evidence: { lock, rate },
    account,
    refundId: undefined,
    creditedAt: now,
    acceptedAt: undefined,
    releasedAt: undefined,
    reversedAt: undefined,
    paysDebt: false,
    owedAt: undefined,
    returnedAt: undefined,
  };
}

/**
 * How much of each lock is used, and what late money was measured by. A lock covers the required
 * amount once: what was refunded has used it, whatever comes afterwards and even if the refund
 * fails.
 */
function creditedBefore({ facts, credited }: PricingQuestion) {
  const lockedSoFar = new Map<LockFacts, bigint>();
  const requiredThen = new Map<bigint, bigint>();
  for (const credit of facts.credits) {
    const paid = credited.get(credit.receiptId);
    if (paid === undefined) continue;
    const { receipt, lock } = paid;
    if (credit.reversedAt !== undefined || receipt.reversalDue) continue;
    if (credit.generation !== receipt.generation) continue;
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
  { receipt, lock, isInTime }: PlacedReceipt,
  allocated: bigint,
  rate: CurrentRate,
  { feePartsPerMillion }: SettlementFacts,
): Value | undefined {
  const free = lock.arrivingUnits > allocated ? lock.arrivingUnits - allocated : 0n;
  const lockedUnits = isInTime ? min(receipt.units, free) : 0n;
  if (lockedUnits === 0n) return currentValue(receipt.units, lock, rate, feePartsPerMillion);

  const isMixed = lockedUnits < receipt.units;
  const current = isMixed
    ? currentValue(receipt.units - lockedUnits, lock, rate, feePartsPerMillion)
    : NOTHING;
  if (current === undefined) return undefined;
  const share = (whole: bigint) =>
    divideUnits((allocated + lockedUnits) * whole, lock.arrivingUnits, 'down') -
    divideUnits(allocated * whole, lock.arrivingUnits, 'down');
  const lockedSettlement = share(lock.settlementUnits);
  const lockedNet = min(share(lock.netUnits), lockedSettlement);
  const settlementUnits = lockedSettlement + current.settlementUnits;
  const netUnits = lockedNet + current.netUnits;
  return {
    lockedUnits,
    rateBasis: isMixed ? 'MIXED' : 'LOCKED',
    settlementUnits,
    netUnits,
    feeUnits: settlementUnits - netUnits,
  };
}

const NOTHING = { settlementUnits: 0n, netUnits: 0n };

/** What units are worth at the rate of the moment; undefined without one. */
export function currentValue(
  units: bigint,
  lock: LockFacts,
  { toSettlement: market }: CurrentRate,
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
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
