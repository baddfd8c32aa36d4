// What becomes of pending money when its checkout completes. Pure.

import type { PlacedReceipt } from './place-receipts.ts';
import type {
  CurrentRate,
  LockFacts,
  ReleaseDecision,
  SettlementFacts,
} from './settlement-facts.ts';
import { currentValue } from './value-receipts.ts';

export type ReleaseQuestion = {
  readonly facts: SettlementFacts;
  readonly credited: ReadonlyMap<bigint, PlacedReceipt>;
  /** Whether money that counts is final, and valued. */
  readonly isFinal: (placed: PlacedReceipt) => boolean;
  /** Locks whose price still counts. */
  readonly holding: ReadonlySet<LockFacts>;
  readonly rateOf: (lock: LockFacts) => CurrentRate;
};

export type Releases = {
  readonly list: readonly ReleaseDecision[];
  /** Some of it cannot be valued now. */
  readonly waitsForRate: boolean;
};

/**
 * What was credited as pending and still stands goes to the merchant: at what it was credited while
 * its lock holds, else at the rate of the moment. Money in the asset that the merchant is credited
 * in is worth itself.
 */
export function releaseCredits(question: ReleaseQuestion): Releases {
  const { facts, credited, isFinal, holding, rateOf } = question;
  const list: ReleaseDecision[] = [];
  let waitsForRate = false;
  for (const credit of facts.credits) {
    const { receiptId, generation } = credit;
    if (credit.account !== 'pending' || credit.released || credit.reversed) continue;
    const paid = credited.get(receiptId);
    if (paid === undefined || !paid.counts || !isFinal(paid)) continue;
    const { receipt, lock } = paid;
    if (receipt.generation !== generation) continue;
    const isOrigin = lock.settlementAssetId === lock.assetId;
    // What came back while it was refunded was never valued.
    if (credit.rateBasis !== 'NONE' && (isOrigin || holding.has(lock))) {
      list.push({ receiptId, generation, value: undefined });
      continue;
    }
    const value = currentValue(receipt.units, lock, rateOf(lock), facts.feePartsPerMillion);
    if (value === undefined) waitsForRate = true;
    else list.push({ receiptId, generation, value });
  }
  return { list, waitsForRate };
}
