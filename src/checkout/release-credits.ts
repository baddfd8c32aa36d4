// What becomes of pending money when its checkout completes. Pure.

import { holds } from './decide-paid.ts';
import { type LockOf, mustHaveLock } from './lock-of-receipt.ts';
import type {
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  ReleaseDecision,
  SettlementFacts,
} from './settlement-facts.ts';
import { currentValue } from './value-receipts.ts';

export type ReleaseQuestion = {
  readonly facts: SettlementFacts;
  readonly finalReceipts: readonly ReceiptFacts[];
  readonly firm: ReadonlySet<LockFacts>;
  readonly lockOf: LockOf;
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
  const { facts, finalReceipts, firm, lockOf, rateOf } = question;
  const standing = new Map(finalReceipts.map((receipt) => [receipt.id, receipt]));
  const list: ReleaseDecision[] = [];
  let waitsForRate = false;
  for (const credit of facts.credits) {
    const { receiptId, generation } = credit;
    if (credit.account !== 'pending' || credit.released || credit.reversed) continue;
    const receipt = standing.get(receiptId);
    if (receipt?.generation !== generation) continue;
    const lock = mustHaveLock(lockOf, receipt);
    const isOrigin = lock.settlementAssetId === lock.assetId;
    // What came back while it was refunded was never valued.
    if (credit.rateBasis !== 'NONE' && (isOrigin || holds(lock, firm, facts.now))) {
      list.push({ receiptId, generation, value: undefined });
      continue;
    }
    const value = currentValue(receipt.units, lock, rateOf(lock), facts.feePartsPerMillion);
    if (value === undefined) waitsForRate = true;
    else list.push({ receiptId, generation, value });
  }
  return { list, waitsForRate };
}
