// Everything that is known about checkouts, side by side: one statement a table, whatever their
// number.

import { listAnchorDepositsByPurpose } from '#anchor/anchor-deposit.ts';
import { type Reader, sql } from '#db/db.ts';
import { type InstructionKeys, listInstructionsByPurpose } from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import { listReceiptsByPurpose } from '#deposit/receipt.ts';
import { CHECKOUT_STATE_CHANGE, type Checkout, type CheckoutRecord } from './checkout.ts';
import { listCheckoutRefunds } from './checkout-refund-store.ts';
import { joinCommitment, listCommitmentRows, listPastWindows } from './commitment.ts';
import { listReceiptCredits } from './credit.ts';

export type ReadRecordsApp = {
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

/**
 * `checkouts` of these ids, read or locked by whoever asks; they may come later than the statements
 * here, which then travel together with theirs.
 */
export async function readRecords(
  app: ReadRecordsApp,
  reader: Reader,
  ids: readonly string[],
  checkouts: Promise<readonly Checkout[]>,
): Promise<CheckoutRecord[]> {
  const [found, commitments, windows, instructions, receipts, anchored, credits, refunds, changes] =
    await Promise.all([
      checkouts,
      listCommitmentRows(reader, ids),
      listPastWindows(reader, ids),
      listInstructionsByPurpose(app, reader, 'checkout', ids),
      listReceiptsByPurpose(reader, 'checkout', ids),
      listAnchorDepositsByPurpose(reader, 'checkout', ids),
      listReceiptCredits(reader, ids),
      listCheckoutRefunds(reader, ids),
      CHECKOUT_STATE_CHANGE.select(
        reader,
        sql`where checkout_id = any(${ids}::text[]) order by version`,
      ),
    ]);
  return found.map((checkout) => ({
    ...checkout,
    commitments: commitments
      .filter(({ checkoutId }) => checkoutId === checkout.id)
      .map((commitment) =>
        joinCommitment(
          commitment,
          windows,
          instructions.get(checkout.id) ?? [],
          app.networks,
          checkout.environment,
        ),
      ),
    receipts: receipts.filter(({ purposeId }) => purposeId === checkout.id),
    anchorDeposits: anchored.filter(({ instructionId }) =>
      instructions.get(checkout.id)?.some(({ id }) => id === instructionId),
    ),
    credits: credits.filter(({ checkoutId }) => checkoutId === checkout.id),
    refunds: refunds.filter(({ checkoutId }) => checkoutId === checkout.id),
    stateHistory: changes.filter(({ checkoutId }) => checkoutId === checkout.id),
  }));
}
