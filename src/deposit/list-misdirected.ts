// Payments for one thing that came on another chain than asked: the same address exists on every
// EVM chain, and wallets let people choose the wrong one. The money is ours and lies in suspense;
// whom it was meant for is known, and told to merchant and payer.

import type { Reader } from '#db/db.ts';
import type { DepositPurpose } from './deposit-instruction.ts';
import { listMisdirectedRows } from './misdirected-store.ts';
import type { Receipt } from './receipt.ts';
import { listReceiptsById } from './receipt-store.ts';

export type MisdirectedReceipt = {
  readonly purposeId: string;
  /** The instruction whose address was paid. */
  readonly instructionId: string;
  readonly receipt: Receipt;
};

/** What stands or stood, oldest first; what is gone without ever having been final is left out. */
export async function listMisdirected(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<MisdirectedReceipt[]> {
  const rows = await listMisdirectedRows(reader, purpose, purposeIds);
  if (rows.length === 0) return [];
  const receipts = new Map(
    (
      await listReceiptsById(
        reader,
        rows.map(({ receiptId }) => receiptId),
      )
    ).map((receipt) => [receipt.id, receipt]),
  );
  return rows.flatMap(({ receiptId, ...row }) => {
    const receipt = receipts.get(receiptId);
    return receipt === undefined || receipt.status === 'GONE' ? [] : [{ ...row, receipt }];
  });
}
