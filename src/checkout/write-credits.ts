import type { Tx } from '#db/db.ts';
import {
  insertReceiptCredit,
  markCreditReleased,
  markCreditReturned,
  markCreditReversed,
} from './receipt-credit-store.ts';
import type { MoneyWrites } from './settlement-writes.ts';

/** Writes what a decision made of the credits. */
export function writeCredits(
  tx: Tx,
  checkoutId: string,
  written: MoneyWrites,
  now: Temporal.Instant,
): void {
  for (const credit of written.credited) insertReceiptCredit(tx, checkoutId, credit);
  for (const credit of written.released) markCreditReleased(tx, credit, now);
  for (const credit of written.reversed) {
    markCreditReversed(tx, credit.receiptId, credit.generation, now);
  }
  for (const credit of written.returned) {
    markCreditReturned(tx, credit.receiptId, credit.generation, now);
  }
}
