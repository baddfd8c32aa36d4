// Reads who money may be sent to, private to this folder.

import { type Reader, sql } from '#db/db.ts';
import { isBeneficiarySealed, type SealKeys, verifyBeneficiary } from '#people/seal-beneficiary.ts';
import type { ReceivingAccount } from './executor.ts';
import type { Transfer, TransferOwner } from './transfer.ts';

export type Receiver = {
  readonly id: string;
  readonly network: string;
  readonly account: ReceivingAccount;
  readonly usableAt: Temporal.Instant;
};

/**
 * By id or by label; an id goes before a label of the same spelling.
 * @throws AssertionFailure when the row was changed since it was written.
 */
export async function findReceiver(
  reader: Reader,
  keyring: SealKeys,
  { merchantId, environment }: TransferOwner,
  idOrLabel: string,
): Promise<Receiver | undefined> {
  const [row] = await reader.query<ReceiverRow>(sql`
    select id, label, network, account, usable_at as "usableAt", seal from beneficiary
    where merchant_id = ${merchantId} and environment = ${environment} and deleted_at is null
      and (id = ${idOrLabel} or label = ${idOrLabel})
    order by (id = ${idOrLabel}) desc limit 1`);
  if (row === undefined) return undefined;
  verifyBeneficiary(keyring, { ...row, merchantId, environment }, row.seal);
  const { id, network, usableAt } = row;
  return { id, network, usableAt, account: JSON.parse(row.account) as ReceivingAccount };
}

/**
 * Whether the transfer still goes where its beneficiary is: both rows may have been changed since.
 * A beneficiary that was deleted meanwhile is still who it was.
 */
export async function goesToItsBeneficiary(
  reader: Reader,
  keyring: SealKeys,
  { merchantId, environment, beneficiaryId, network, account }: Transfer,
): Promise<boolean> {
  const [row] = await reader.query<ReceiverRow>(sql`
    select id, label, network, account, usable_at as "usableAt", seal from beneficiary
    where id = ${beneficiaryId ?? ''}`);
  if (row === undefined || account === undefined) return false;
  return (
    row.network === network &&
    row.account === JSON.stringify(account) &&
    isBeneficiarySealed(keyring, { ...row, merchantId, environment }, row.seal)
  );
}

type ReceiverRow = Omit<Receiver, 'account'> & {
  readonly label: string;
  readonly account: string;
  readonly seal: Uint8Array | null;
};
