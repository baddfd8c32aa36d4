// What a decision makes of a checkout: entries for the ledger, flags, events. Pure.

import { assert } from '#base/assert.ts';
import type { Receipt } from '#deposit/receipt.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import type { CheckoutRecord, ReceiptCredit } from './checkout.ts';
import { receiptEntry, releaseEntry, returnedEntry, reversalEntries } from './checkout-entries.ts';
import type { SettlementDecision } from './settlement-facts.ts';

export type MoneyWrites = {
  readonly entries: readonly Entry[];
  readonly credited: readonly ReceiptCredit[];
  readonly released: readonly ReceiptCredit[];
  readonly reversed: readonly ReceiptCredit[];
  readonly returned: readonly ReceiptCredit[];
};

export function moneyWrites(
  record: CheckoutRecord,
  decision: SettlementDecision,
  now: Temporal.Instant,
): MoneyWrites {
  const owner = {
    checkoutId: record.id,
    merchantId: record.merchantId,
    environment: record.environment,
  };
  const credited = decision.credits.map((credit) => ({
    ...credit,
    evidence: JSON.stringify({
      basis: credit.rateBasis,
      lockedUnits: String(credit.lockedUnits),
      settlementUnits: String(credit.settlementUnits),
    }),
    creditedAt: now,
    releasedAt: undefined,
    reversedAt: undefined,
    owedAt: undefined,
    returnedAt: undefined,
  }));
  const named = (receiptId: bigint, generation: number): ReceiptCredit => {
    const credit = record.credits.find(
      (known) => known.receiptId === receiptId && known.generation === generation,
    );
    assert(credit !== undefined, 'what is released or reversed was credited');
    return credit;
  };
  const released = decision.releases.map((one) => named(one.receiptId, one.generation));
  const reversed = decision.reversals.map((one) => named(one.receiptId, one.generation));
  const returned = decision.returns.map((one) => named(one.receiptId, one.generation));
  return {
    credited,
    released,
    reversed,
    returned,
    entries: [
      ...credited.map((credit) => receiptEntry(owner, credit, now)),
      ...released.map((credit) => releaseEntry(owner, credit, now)),
      ...reversed.flatMap((credit) =>
        reversalEntries(owner, { ...credit, isReleased: credit.releasedAt !== undefined }, now),
      ),
      ...returned.map((credit) => returnedEntry(owner, credit, now)),
    ],
  };
}

export function creditsAfter(
  before: readonly ReceiptCredit[],
  written: MoneyWrites,
  now: Temporal.Instant,
): ReceiptCredit[] {
  const after = before.map((credit) => ({
    ...credit,
    releasedAt: written.released.includes(credit) ? now : credit.releasedAt,
    reversedAt: written.reversed.includes(credit) ? now : credit.reversedAt,
    owedAt:
      written.reversed.includes(credit) && credit.account === 'refunded' ? now : credit.owedAt,
    returnedAt: written.returned.includes(credit) ? now : credit.returnedAt,
  }));
  return [...after, ...written.credited];
}

/** So that an event shows the receipts as everybody sees them afterwards. */
export function receiptsAfter(before: readonly Receipt[], written: MoneyWrites): Receipt[] {
  return before.map((receipt) => {
    const isIn = (credits: readonly ReceiptCredit[]) =>
      credits.some(
        ({ receiptId, generation }) =>
          receiptId === receipt.id && generation === receipt.generation,
      );
    return {
      ...receipt,
      creditedGeneration: isIn(written.credited) ? receipt.generation : receipt.creditedGeneration,
      reversedGeneration: isIn(written.reversed) ? receipt.generation : receipt.reversedGeneration,
    };
  });
}
