// Facts about a checkout for tests of what is decided about it: one window of 1000 units of Litecoin
// from minute 0 to 60, paid in minute 10, and whatever a test changes of it.
import type { Credit } from '#checkout/credit.ts';
import { decideSettlement } from '#checkout-settlement/decide-settlement.ts';
import type {
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementDecision,
  SettlementFacts,
} from '#checkout-settlement/settlement-facts.ts';

const START = Temporal.Instant.from('2026-01-01T12:00:00Z');
export const at = (minutes: number) => START.add({ minutes });

export const LOCK: LockFacts = {
  instructionId: 'litecoin',
  network: 'LITECOIN',
  assetId: 'LTC:NATIVE',
  arrivingUnits: 1000n,
  settlementAssetId: 'LTC:NATIVE',
  settlementUnits: 1000n,
  netUnits: 990n,
  openedAt: at(0),
  expiresAt: at(60),
};

export function receipt(id: number, changes: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return {
    id: BigInt(id),
    generation: 1,
    instructionId: 'litecoin',
    status: 'FINAL',
    assetId: 'LTC:NATIVE',
    units: 1000n,
    seenAt: at(10),
    minedAt: at(12),
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    reversalDue: false,
    ...changes,
  };
}

/** Seen and in no block. */
export const seen = { status: 'SEEN', minedAt: undefined } as const;

/** Pending, as the first generation of a receipt, all of it under the lock. */
export function pendingCredit(
  receiptId: number | bigint,
  units: bigint,
  changes: Partial<Credit> = {},
): Credit {
  return {
    receiptId: BigInt(receiptId),
    generation: 1,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    units,
    lockedUnits: units,
    rateBasis: 'LOCKED',
    settlementAssetId: 'LTC:NATIVE',
    settlementUnits: units,
    netUnits: units,
    feeUnits: 0n,
    requiredNowUnits: undefined,
    evidence: '{}',
    account: 'pending',
    refundId: undefined,
    creditedAt: at(20),
    acceptedAt: undefined,
    releasedAt: undefined,
    reversedAt: undefined,
    paysDebt: false,
    owedAt: undefined,
    returnedAt: undefined,
    ...changes,
  };
}

export function rateOf(numerator: bigint, requiredUnits: bigint): () => CurrentRate {
  return () => ({
    toSettlement: { numerator, denominator: 1n },
    requiredUnits,
    rateIds: [7n],
    requiredRateIds: [8n],
  });
}
export const SAME_PRICE = rateOf(1n, 1000n);
export const NO_RATE = (): CurrentRate => ({
  toSettlement: undefined,
  requiredUnits: undefined,
  rateIds: [],
  requiredRateIds: [],
});

/** In minute 20, of a checkout that awaits its payment. */
export function decide(
  changes: Partial<SettlementFacts>,
  rate: (lock: LockFacts) => CurrentRate = SAME_PRICE,
): SettlementDecision {
  const facts: SettlementFacts = {
    state: 'AWAITING_PAYMENT',
    expiresAt: at(60),
    cancelled: false,
    feePartsPerMillion: 10_000,
    underpaidTolerancePartsPerMillion: 0,
    lateFloorPartsPerMillion: 900_000,
    lateDays: 36_500,
    locks: [LOCK],
    receipts: [],
    credits: [],
    networkBehind: false,
    now: at(20),
    ...changes,
  };
  return decideSettlement(facts, rate);
}
