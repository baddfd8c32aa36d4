// What a decision writes beside its credits: entries for the ledger. Pure.

import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type CreditChanges, creditKey } from '#checkout/credit.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { receiptEntry, releaseEntry, returnedEntry, reversalEntries } from './checkout-entries.ts';

export function entriesOf(
  { id, merchantId, environment }: CheckoutRecord,
  { credited, released, reversed, returned }: CreditChanges,
  now: Temporal.Instant,
): Entry[] {
  const owner = { checkoutId: id, merchantId, environment };
  return [
    ...credited.map((credit) => receiptEntry(owner, credit, now)),
    ...released.map((credit) => releaseEntry(owner, credit, now)),
    ...reversed.flatMap((credit) => reversalEntries(owner, credit, now)),
    ...returned.map((credit) => returnedEntry(owner, credit, now)),
  ];
}

/**
 * Changes the receipts in memory, so that the event shows them as they will be after the commit.
 */
export function receiptsAfter(before: readonly Receipt[], changes: CreditChanges): Receipt[] {
  const credited = new Set(changes.credited.map(creditKey));
  const reversed = new Set(changes.reversed.map(creditKey));
  return before.map((receipt) => {
    const key = creditKey({ receiptId: receipt.id, generation: receipt.generation });
    return {
      ...receipt,
      creditedGeneration: credited.has(key) ? receipt.generation : receipt.creditedGeneration,
      reversedGeneration: reversed.has(key) ? receipt.generation : receipt.reversedGeneration,
    };
  });
}
