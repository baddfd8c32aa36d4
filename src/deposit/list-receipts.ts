import type { Reader } from '#db/db.ts';
import type { DepositPurpose } from './deposit-instruction.ts';
import type { Receipt } from './receipt.ts';
import {
  listReceiptsById,
  listReceiptsOfPurpose,
  listReceiptsOfTransaction,
  listUnmatched,
  listUnsettledOfPurpose,
} from './receipt-store.ts';

/** Everything that arrived for one thing, oldest first, on all chains. */
export function listReceipts(
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<Receipt[]> {
  return listReceiptsOfPurpose(reader, purpose, [purposeId]);
}

/** The same for many things at once; each receipt names its `purposeId`. */
export function listReceiptsByPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<Receipt[]> {
  return listReceiptsOfPurpose(reader, purpose, purposeIds);
}

/** Only those a settlement may have to act on: a destination may be paid for years. */
export function listUnsettledReceipts(
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<Receipt[]> {
  return listUnsettledOfPurpose(reader, purpose, purposeId);
}

export { GIVEN_BEFORE_RESTORE, listLeftOut } from './left-out-store.ts';
export { listUnsettledSuspense, lockUnsettledSuspense } from './receipt-store.ts';
export { listRemarks } from './remark-store.ts';

const RECEIPTS_PER_TRANSACTION = 500;

/** On every chain and for whomever; `transactions` are the ways one hash is written. */
export function listReceiptsByTransaction(
  reader: Reader,
  transactions: readonly string[],
): Promise<Receipt[]> {
  return listReceiptsOfTransaction(reader, transactions, RECEIPTS_PER_TRANSACTION);
}

/** Money that nobody asked for, newest first: for the operator. */
export function listUnmatchedReceipts(reader: Reader, most: number): Promise<Receipt[]> {
  return listUnmatched(reader, most);
}

export function listReceiptsByIds(reader: Reader, ids: readonly bigint[]): Promise<Receipt[]> {
  return ids.length === 0 ? Promise.resolve([]) : listReceiptsById(reader, ids);
}
