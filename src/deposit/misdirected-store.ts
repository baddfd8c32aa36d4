// SQL of misdirected_receipt: money that came to an address of ours on another chain than the one
// the payer was asked to pay on. Private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { DepositPurpose } from './deposit-instruction.ts';

export type SiblingMatch = {
  readonly destination: string;
  readonly purpose: DepositPurpose;
  readonly purposeId: string;
};

/** Who was given one of these destinations on a sibling chain. */
export async function matchSiblings(
  reader: Reader,
  siblings: readonly ChainId[],
  destinations: readonly string[],
): Promise<SiblingMatch[]> {
  if (siblings.length === 0 || destinations.length === 0) return [];
  return reader.query<SiblingMatch>(sql`
    select destination, purpose, purpose_id as "purposeId" from deposit_instruction
    where chain = any(${siblings}::text[]) and destination = any(${destinations}::text[])`);
}

/** To be sent after the receipts themselves, in the same transaction. */
export function linkMisdirected(
  tx: Tx,
  chain: ChainId,
  siblings: readonly ChainId[],
  creditKeys: readonly string[],
): void {
  if (creditKeys.length === 0) return;
  tx.send(sql`
    insert into misdirected_receipt (receipt_id, instruction_id)
    select r.id, i.id from receipt r
      join deposit_instruction i on i.destination = r.destination
        and i.chain = any(${siblings}::text[])
    where r.chain = ${chain} and r.credit_key = any(${creditKeys}::text[])
      and r.instruction_id is null
    on conflict do nothing`);
}

export type MisdirectedRow = {
  readonly instructionId: string;
  readonly purposeId: string;
  readonly receiptId: bigint;
};

export async function listMisdirectedRows(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<MisdirectedRow[]> {
  return reader.query<MisdirectedRow>(sql`
    select i.id as "instructionId", i.purpose_id as "purposeId", m.receipt_id as "receiptId"
    from deposit_instruction i join misdirected_receipt m on m.instruction_id = i.id
    where i.purpose = ${purpose} and i.purpose_id = any(${purposeIds}::text[])
      and not i.is_address_invoice
    order by m.receipt_id`);
}
