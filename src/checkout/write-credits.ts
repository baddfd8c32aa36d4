import type { Tx } from '#db/db.ts';
import { closeSuspense, type HeldSuspense } from '#deposit/close-suspense.ts';
import { markReceiptCredited, markReceiptReversed } from '#deposit/credit-receipt.ts';
import { insertSuspense } from '#deposit/suspense-book.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import type { CheckoutRecord, ReceiptCredit } from './checkout.ts';
import {
  insertReceiptCredit,
  markCreditReleased,
  markCreditReturned,
  markCreditReversed,
} from './receipt-credit-store.ts';
import type { MoneyWrites } from './settlement-writes.ts';

/**
 * Writes what a decision made of the credits. Answers the entries that undo what a person did with
 * money in suspense that the chain took back.
 */
export function writeCredits(
  tx: Tx,
  record: CheckoutRecord,
  written: MoneyWrites,
  suspense: readonly HeldSuspense[],
  now: Temporal.Instant,
): Entry[] {
  for (const credit of written.credited) {
    insertReceiptCredit(tx, record.id, credit);
    markReceiptCredited(tx, credit.receiptId, credit.generation);
    if (credit.account === 'suspense') insertSuspense(tx, bookingOf(record, credit), now);
  }
  for (const credit of written.released) markCreditReleased(tx, credit, now);
  for (const credit of written.reversed) {
    markCreditReversed(tx, credit.receiptId, credit.generation, now);
    markReceiptReversed(tx, credit.receiptId, credit.generation);
  }
  for (const credit of written.returned) {
    markCreditReturned(tx, credit.receiptId, credit.generation, now);
  }
  return written.reversed.flatMap((credit) => closeSuspense(tx, suspense, credit, now));
}

function bookingOf({ id, environment, merchantId }: CheckoutRecord, credit: ReceiptCredit) {
  const { receiptId, generation, network, assetId, units } = credit;
  const money = { receiptId, generation, environment, network, assetId, units };
  const named = { merchantId, purpose: 'checkout' as const, purposeId: id };
  return { ...money, ...named, reason: 'WRONG_ASSET' as const };
}
