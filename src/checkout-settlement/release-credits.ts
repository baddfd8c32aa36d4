// What becomes of pending money when its checkout completes. Pure.

import type { Credit } from '#checkout/credit.ts';
import type { PlacedReceipt } from './place-receipts.ts';
import type { CurrentRate, LockFacts, SettlementFacts } from './settlement-facts.ts';
import { currentValue } from './value-receipts.ts';

type ReleaseQuestion = {
  readonly facts: SettlementFacts;
  readonly credited: ReadonlyMap<bigint, PlacedReceipt>;
  /** Whether money that counts is final, and valued. */
  readonly isFinal: (placed: PlacedReceipt) => boolean;
  /** Locks whose price still counts. */
  readonly holding: ReadonlySet<LockFacts>;
  readonly rateOf: (lock: LockFacts) => CurrentRate;
};

type Releases = {
  /** As they are afterwards. */
  readonly list: readonly Credit[];
  /** Money that cannot be valued now. */
  readonly unvalued: ReadonlySet<PlacedReceipt>;
};

/**
 * What was credited as pending and still stands goes to the merchant: at what it was credited while
 * its lock holds, else at the rate of the moment. Money in the asset that the merchant is credited
 * in is worth itself.
 */
export function releaseCredits(question: ReleaseQuestion): Releases {
  const { facts, credited, isFinal, holding, rateOf } = question;
  const list: Credit[] = [];
  const released = { releasedAt: facts.now };
  const unvalued = new Set<PlacedReceipt>();
  for (const credit of facts.credits) {
    const { account, releasedAt, reversedAt } = credit;
    if (account !== 'pending' || releasedAt !== undefined || reversedAt !== undefined) continue;
    const paid = credited.get(credit.receiptId);
    if (paid === undefined || !paid.counts || !isFinal(paid)) continue;
    const { receipt, lock } = paid;
    if (receipt.generation !== credit.generation) continue;
    const isOrigin = lock.settlementAssetId === lock.assetId;
    // Money that came back while it was being refunded was never valued.
    if (credit.rateBasis !== 'NONE' && (isOrigin || holding.has(lock))) {
      list.push({ ...credit, ...released });
      continue;
    }
    const rate = rateOf(lock);
    const value = currentValue(receipt.units, lock, rate, facts.feePartsPerMillion);
    if (value === undefined) {
      unvalued.add(paid);
      continue;
    }
    list.push({ ...credit, ...value, ...released, evidence: { lock, rate } });
  }
  return { list, unvalued };
}
