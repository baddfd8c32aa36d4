// SQL of receipt_remark: why money is nobody's, in a sentence for a person. Private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { GIVEN_BEFORE_RESTORE } from './left-out-store.ts';
import type { Transfer } from './network.ts';

/** In the transaction that records them. */
export function insertRemarks(tx: Tx, chain: ChainId, transfers: readonly Transfer[]): void {
  const remarked = transfers.filter(({ remark }) => remark !== undefined);
  if (remarked.length === 0) return;
  tx.send(sql`
    insert into receipt_remark (chain, credit_key, remark)
    select ${chain}, * from unnest(${remarked.map(({ creditKey }) => creditKey)}::text[],
      ${remarked.map(({ remark }) => remark ?? '')}::text[])
    on conflict do nothing`);
}

/** Of those receipts of which more is known than a code. */
export async function listRemarks(
  reader: Reader,
  receiptIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (receiptIds.length === 0) return new Map();
  const rows = await reader.query<{ id: bigint; remark: string }>(sql`
    select r.id, coalesce(m.remark, ${GIVEN_BEFORE_RESTORE}) as remark
    from receipt r
      left join receipt_remark m on m.chain = r.chain and m.credit_key = r.credit_key
      left join address_left_out l on l.chain = r.chain and l.destination = r.destination
    where r.id = any(${receiptIds}::bigint[]) and r.instruction_id is null
      and coalesce(m.chain, l.chain) is not null`);
  return new Map(rows.map(({ id, remark }) => [id, remark]));
}
