// What final receipts are worth to the merchant: the part under a lock at the guaranteed rate, the
// rest at the rate of the moment. Pure; rounding is named at each division.

import { convertUnits, divideUnits } from '#money/rate.ts';
import type { Credit } from './credit.ts';
import { isCredited, type PlacedReceipt } from './place-receipts.ts';
import type { CurrentRate, LockFacts, ReceiptFacts, SettlementFacts } from './settlement-facts.ts';

const PARTS_PER_MILLION = 1_000_000n;

/** What a payment is worth to the merchant, and by which rates. */
type Value = Pick<
  Credit,
  'lockedUnits' | 'rateBasis' | 'settlementUnits' | 'netUnits' | 'feeUnits'
> & {
  /** The rate of the moment, where a part was converted by it. */
  readonly current: Pick<CurrentRate, 'toSettlement' | 'rateIds'> | undefined;
};

type PricedReceipt = {
  readonly placed: PlacedReceipt;
  readonly value: Value;
  /** What the whole charge cost now, for money that is not locked. */
  readonly requiredNowUnits: bigint | undefined;
  readonly requiredRateIds: readonly bigint[];
};

type Pricing = {
  readonly credits: readonly PricedReceipt[];
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
  const credits: PricedReceipt[] = [];
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
    const requiredRateIds = requiredNowUnits === undefined ? NO_RATES : rate.requiredRateIds;
    credits.push({ placed, value, requiredNowUnits, requiredRateIds });
  }
  return { credits, requiredThen, unvalued };
}

const NO_RATES: readonly bigint[] = [];

export function earnedCredit(
  { placed: { receipt, lock }, value, requiredNowUnits, requiredRateIds }: PricedReceipt,
  account: 'pending' | 'available',
  now: Temporal.Instant,
): Credit {
  const { current: _, ...worth } = value;
  const { settlementAssetId, openedAt } = lock;
  return {
    ...newCredit(receipt, lock, now),
    ...worth,
    settlementAssetId,
    requiredNowUnits,
    evidence: evidenceOf(value, {
      lockOpenedAt: openedAt,
      requiredUnits: requiredNowUnits,
      requiredRateIds,
    }),
    account,
  };
}

/** Money that is worth nothing to the merchant stays as it came. */
export function unearnedCredit(
  receipt: ReceiptFacts,
  lock: LockFacts,
  account: 'suspense' | 'refunded',
  now: Temporal.Instant,
): Credit {
  const worth = {
    lockedUnits: 0n,
    rateBasis: 'NONE' as const,
    settlementUnits: 0n,
    netUnits: 0n,
    feeUnits: 0n,
  };
  return {
    ...newCredit(receipt, lock, now),
    ...worth,
    settlementAssetId: receipt.assetId,
    requiredNowUnits: undefined,
    evidence: evidenceOf({ ...worth, current: undefined }, {}),
    account,
  };
}

function newCredit(
  { id, generation, assetId, units }: ReceiptFacts,
  { network }: LockFacts,
  now: Temporal.Instant,
) {
  return {
    receiptId: id,
    generation,
    network,
    assetId,
    units,
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

/** By which rates it was valued: those of its lock are stored with the lock. */
export function evidenceOf(
  { rateBasis, lockedUnits, settlementUnits, current }: Omit<Value, 'netUnits' | 'feeUnits'>,
  more: {
    readonly lockOpenedAt?: Temporal.Instant;
    readonly requiredUnits?: bigint | undefined;
    readonly requiredRateIds?: readonly bigint[];
    readonly releasedAt?: Temporal.Instant;
  },
): string {
  const rate = current?.toSettlement;
  return JSON.stringify({
    basis: rateBasis,
    lockedUnits: String(lockedUnits),
    settlementUnits: String(settlementUnits),
    lockOpenedAt: lockedUnits > 0n ? more.lockOpenedAt?.toString() : undefined,
    current: rate && {
      rateIds: current.rateIds.map(String),
      numerator: String(rate.numerator),
      denominator: String(rate.denominator),
    },
    required:
      more.requiredUnits === undefined
        ? undefined
        : { units: String(more.requiredUnits), rateIds: more.requiredRateIds?.map(String) },
    releasedAt: more.releasedAt?.toString(),
  });
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
    current: current.current,
  };
}

const NOTHING = { settlementUnits: 0n, netUnits: 0n, current: undefined };

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
