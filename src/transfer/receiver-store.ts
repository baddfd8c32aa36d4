// Reads who money may be sent to, private to this folder.

import { type Reader, sql } from '#db/db.ts';
import type { ReceivingAccount } from './executor.ts';
import type { TransferOwner } from './transfer.ts';

export type Receiver = {
  readonly id: string;
  readonly network: string;
  readonly account: ReceivingAccount;
  readonly usableAt: Temporal.Instant;
};

/** By id or by label; an id goes before a label of the same spelling. */
export async function findReceiver(
  reader: Reader,
  { merchantId, environment }: TransferOwner,
  idOrLabel: string,
): Promise<Receiver | undefined> {
  const [row] = await reader.query<Omit<Receiver, 'account'> & { account: string }>(sql`
    select id, network, account, usable_at as "usableAt" from beneficiary
    where merchant_id = ${merchantId} and environment = ${environment} and deleted_at is null
      and (id = ${idOrLabel} or label = ${idOrLabel})
    order by (id = ${idOrLabel}) desc limit 1`);
  if (row === undefined) return undefined;
  return { ...row, account: JSON.parse(row.account) as ReceivingAccount };
}
