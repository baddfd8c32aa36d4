// Whether a transfer may be sent now, as far as the transaction lasts: what it rests on stands, it
// has rested, and above the limit of one person a second one has approved it. Every way out asks
// here: a program, a person, the signer. What somebody was told to send before is beyond it: a
// limit that is lowered later holds for what was not shown yet.
import { Refusal } from '#base/refusal.ts';
import { getNetwork } from '#catalog/network.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { isBeneficiaryAt, type SealKeys } from '#people/beneficiary.ts';
import { type ApprovalApp, checkApproval } from '#spending/approval.ts';
import { transferToApprove } from './book-transfer.ts';
import {
  type ConcludeTransferApp,
  holdTransfer,
  type SendingVerdict,
} from './conclude-transfer.ts';
import { isTransferSealed, type Transfer, type TransferSealKeys } from './transfer.ts';

export type HoldToSendApp = Pick<ConcludeTransferApp, 'refunds' | 'returns' | 'clock'> &
  ApprovalApp & { readonly keyring: TransferSealKeys };

type UnchangedApp = { readonly db: Db; readonly keyring: SealKeys };

type HeldVerdict =
  | SendingVerdict
  /** Nobody approved it in time: its money goes back. */
  | { readonly kind: 'lapsed'; readonly reason: string };

export async function holdToSend(
  app: HoldToSendApp,
  tx: Tx,
  transfer: Transfer,
): Promise<HeldVerdict> {
  const verdict = await holdTransfer(app, tx, transfer);
  const { account, shownAt, askedAt, restsUntil: until } = transfer;
  const isBeyond = (shownAt ?? askedAt) !== undefined;
  if (verdict.kind !== 'send' || account === undefined || isBeyond) return verdict;
  if (until && Temporal.Instant.compare(app.clock.now(), until) < 0) {
    return { kind: 'wait', until, reason: `it goes to a new address, and rests until ${until}` };
  }
  switch (await checkApproval(app, tx, transferToApprove(app.keyring, transfer))) {
    case 'approved':
      return verdict;
    case 'waits':
      return { kind: 'wait', reason: 'it waits for a second person (npx quittance approval list)' };
    case 'expired':
      return { kind: 'lapsed', reason: 'no second person approved it in time' };
  }
}

/**
 * A person has decided that it is not paid. What was signed for it may be over already, and its
 * money goes back at any moment: whoever sent it then would pay what the merchant has again.
 * @throws Refusal conflict
 */
export async function requireNotCancelled(tx: Tx, { id }: Pick<Transfer, 'id'>): Promise<void> {
  const [cancelled] = await tx.query<{ reason: string }>(sql`
    select reason from sending_act where transfer_id = ${id} and act = 'CANCEL'
      and not is_sent_again and ended_at is null limit 1`);
  if (cancelled === undefined) return;
  throw new Refusal('conflict', 'transfer_waits', [
    `it is being cancelled (${cancelled.reason}), and its money goes back: do not send it`,
  ]);
}

/**
 * A row that was changed cannot be trusted in its amount or its merchant either.
 * @throws Refusal conflict
 */
export async function requireUnchanged(
  reader: Reader,
  { keyring }: HoldToSendApp,
  transfer: Transfer,
): Promise<void> {
  if (await isTransferSealed(reader, keyring, transfer)) return;
  throw new Refusal('conflict', 'transfer_changed', [
    'the transfer was changed in the database: do not send it, the operator has to repair it first',
  ]);
}

/** @throws Refusal conflict */
export async function requireSameBeneficiary(app: UnchangedApp, transfer: Transfer): Promise<void> {
  const { kind, beneficiaryId, network, account } = transfer;
  if (kind !== 'TRANSFER' || account === undefined) return;
  const beneficiary = { id: beneficiaryId ?? '', network, account };
  if (await isBeneficiaryAt(app, transfer, beneficiary)) return;
  throw new Refusal('conflict', 'beneficiary_changed', [
    'its beneficiary was changed in the database: do not send it',
  ]);
}

/** Else what was signed could land beside it. @throws Refusal conflict */
export function requireUnsigned({ id, transaction, network }: Transfer): void {
  if (transaction === undefined) return;
  if (getNetwork(network).hasInvoices) {
    throw new Refusal('conflict', 'transfer_signed', [
      `our node was told to pay it (payment hash ${transaction}): wait until it has, or gives up`,
    ]);
  }
  throw new Refusal('conflict', 'transfer_signed', [
    `it was signed as ${transaction}, which can still land: npx quittance send signed ${id} sends ` +
      'that again',
  ]);
}
