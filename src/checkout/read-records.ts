// Everything that is known about checkouts, side by side: one statement a table, whatever their
// number.

import { listAnchorDepositsByPurpose } from '#anchor/anchor-deposit.ts';
import type { Reader } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import { listInstructionsByPurpose } from '#deposit/list-instructions.ts';
import { listReceiptsByPurpose } from '#deposit/list-receipts.ts';
import type { Payee } from '#deposit/network.ts';
import type { CheckoutRecord } from './checkout.ts';
import { listCheckoutRefunds } from './checkout-refund-store.ts';
import { type CheckoutRow, checkoutFromRow, listStateChanges } from './checkout-store.ts';
import { joinCommitment } from './commitment.ts';
import { listCommitmentRows, listPastWindowRows } from './commitment-store.ts';
import { listReceiptCredits } from './receipt-credit-store.ts';

export type ReadRecordsApp = {
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

/**
 * `rows` of these ids, read or locked by whoever asks; they may come later than the statements
 * here, which then travel together with theirs.
 */
export async function readRecords(
  app: ReadRecordsApp,
  reader: Reader,
  ids: readonly string[],
  rows: Promise<readonly CheckoutRow[]>,
): Promise<CheckoutRecord[]> {
  const [found, commitments, windows, instructions, receipts, anchored, credits, refunds, changes] =
    await Promise.all([
      rows,
      listCommitmentRows(reader, ids),
      listPastWindowRows(reader, ids),
      listInstructionsByPurpose(app, reader, 'checkout', ids),
      listReceiptsByPurpose(reader, 'checkout', ids),
      listAnchorDepositsByPurpose(reader, 'checkout', ids),
      listReceiptCredits(reader, ids),
      listCheckoutRefunds(reader, ids),
      listStateChanges(reader, ids),
    ]);
  return found.map((row) => ({
    ...checkoutFromRow(row),
    commitments: commitments
      .filter((commitment) => commitment.checkout_id === row.id)
      .map((commitment) =>
        joinCommitment(
          commitment,
          windows,
          instructions.get(row.id) ?? [],
          app.networks,
          row.environment,
        ),
      ),
    receipts: receipts.filter(({ purposeId }) => purposeId === row.id),
    anchorDeposits: anchored.filter(({ instructionId }) =>
      instructions.get(row.id)?.some(({ id }) => id === instructionId),
    ),
    credits: credits.filter(({ checkoutId }) => checkoutId === row.id),
    refunds: refunds.filter(({ checkoutId }) => checkoutId === row.id),
    stateHistory: changes.filter(({ checkoutId }) => checkoutId === row.id),
  }));
}
