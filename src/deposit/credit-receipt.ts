// Marks what the ledger did with a receipt, in the transaction that posts it. Both are compare and
// set: a receipt that is not final, or was credited already, fails the whole transaction with
// ConstraintViolation `receipt_check1` (R2).

import type { Tx } from '#db/db.ts';
import { setCredited, setReversed } from './receipt-store.ts';

export function markReceiptCredited(tx: Tx, receiptId: bigint, generation: number): void {
  setCredited(tx, receiptId, generation);
}

export function markReceiptReversed(tx: Tx, receiptId: bigint, generation: number): void {
  setReversed(tx, receiptId, generation);
}
