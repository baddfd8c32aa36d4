// Money that nobody asked for on its chain: whom it may have been meant for, why it is nobody's,
// and the SQL of both tables.
// The same address exists on every EVM chain, and wallets let people choose the wrong one: then the
// money is ours and lies in suspense, and whom it was meant for is told to merchant and payer.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { bigInteger, defineTable, optional, text } from '#db/table.ts';
import { type DepositPurpose, HANDED_OUT } from '#deposit/deposit-instruction.ts';
import { remarkOfLeftOut } from '#deposit/given-out.ts';
import type { Arrival } from '#deposit/network.ts';
import { listReceiptsByIds, type Receipt } from './receipt.ts';

export const MISDIRECTED_RECEIPT = defineTable('misdirected_receipt', {
  receiptId: bigInteger,
  /** The instruction on a sibling chain whose address was paid. */
  instructionId: text(),
});

/** Why it is nobody's, where more is known than a code. */
export const RECEIPT_REMARK = defineTable('receipt_remark', {
  chain: text<ChainId>(),
  creditKey: text(),
  remark: text(),
  /** The transfer of ours that it brings back, as far as the network says. */
  transferId: optional(text()),
});

/** To be sent after the receipts themselves, in the same transaction. */
export function linkMisdirected(
  tx: Tx,
  chain: ChainId,
  siblings: readonly ChainId[],
  creditKeys: readonly string[],
): void {
  if (creditKeys.length === 0) return;
  tx.send(sql`
    insert into misdirected_receipt (${MISDIRECTED_RECEIPT.namesOf(['receiptId', 'instructionId'])})
    select r.id, i.id from receipt r
      join ${HANDED_OUT} i on i.destination = r.destination
        and i.chain = any(${siblings}::text[])
    where r.chain = ${chain} and r.credit_key = any(${creditKeys}::text[])
      and r.instruction_id is null
    on conflict do nothing`);
}

/** The instruction on a sibling chain whose address a receipt paid: `id`, `purpose` and so on. */
export function siblingInstruction(receiptId: bigint): Statement {
  return sql`
    select i.* from misdirected_receipt m join ${HANDED_OUT} i on i.id = m.instruction_id
    where m.receipt_id = ${receiptId} order by i.id limit 1`;
}

type MisdirectedReceipt = {
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
  const found = await reader.query<{ readonly purposeId: string }>(sql`
    select ${MISDIRECTED_RECEIPT.columnsOf('m')}, i.purpose_id as "purposeId"
    from ${HANDED_OUT} i join misdirected_receipt m on m.instruction_id = i.id
    where i.purpose = ${purpose} and i.purpose_id = any(${purposeIds}::text[])
      and not i.is_address_invoice
    order by m.receipt_id`);
  const rows = found.map(MISDIRECTED_RECEIPT.parse);
  const ids = rows.map(({ receiptId }) => receiptId);
  const receipts = new Map(
    (await listReceiptsByIds(reader, ids)).map((receipt) => [receipt.id, receipt]),
  );
  return rows.flatMap(({ receiptId, ...row }) => {
    const receipt = receipts.get(receiptId);
    return receipt === undefined || receipt.status === 'GONE' ? [] : [{ ...row, receipt }];
  });
}

/** In the transaction that records them. */
export function insertRemarks(tx: Tx, chain: ChainId, arrivals: readonly Arrival[]): void {
  const rows = arrivals.flatMap(({ creditKey, remark, transferId }) =>
    remark === undefined ? [] : [{ chain, creditKey, remark, transferId }],
  );
  if (rows.length > 0) tx.send(RECEIPT_REMARK.insert(rows, sql`on conflict do nothing`));
}

/** `receipt_id`, `transfer_id`, `remark` of what brings back a transfer, as its network says. */
export const RETURNING_RECEIPTS: Statement = sql`
  select r.id as receipt_id, m.transfer_id, m.remark from receipt r
  join receipt_remark m on m.chain = r.chain and m.credit_key = r.credit_key
  where m.transfer_id is not null`;

/** Those of these receipts that bring back a transfer, as their network says. */
export async function listReturning(
  reader: Reader,
  receiptIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const rows = await reader.query<{ id: bigint }>(sql`
    select receipt_id as id from (${RETURNING_RECEIPTS}) b
    where receipt_id = any(${receiptIds}::bigint[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Of those receipts of which more is known than a code. */
export async function listRemarks(
  reader: Reader,
  receiptIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (receiptIds.length === 0) return new Map();
  const remark = sql`coalesce(m.remark, ${remarkOfLeftOut(sql`r.chain`, sql`r.destination`)})`;
  const rows = await reader.query<{ id: bigint; remark: string }>(sql`
    select r.id, ${remark} as remark
    from receipt r
      left join receipt_remark m on m.chain = r.chain and m.credit_key = r.credit_key
    where r.id = any(${receiptIds}::bigint[]) and r.instruction_id is null
      and ${remark} is not null`);
  return new Map(rows.map(({ id, remark }) => [id, remark]));
}
