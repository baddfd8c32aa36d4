// SQL of chain_holding, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { listInvoiceChains } from '#catalog/network.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { GAP_LOOKED_AT } from './address-gap.ts';
import type { ChainHolding } from './chain-report.ts';

export function listHoldingRows(reader: Reader): Promise<ChainHolding[]> {
  return reader.query<ChainHolding>(sql`
    select chain, asset_id as "assetId", held_units as "heldUnits",
      custody_units as "custodyUnits", checked_at as "checkedAt"
    from chain_holding order by chain, asset_id`);
}

export function replaceHoldings(
  tx: Tx,
  chain: ChainId,
  holdings: readonly Omit<ChainHolding, 'chain'>[],
): void {
  tx.send(sql`delete from chain_holding where chain = ${chain}`);
  for (const { assetId, heldUnits, custodyUnits, checkedAt } of holdings) {
    tx.send(sql`
      insert into chain_holding (chain, asset_id, held_units, custody_units, checked_at)
      values (${chain}, ${assetId}, ${heldUnits}, ${custodyUnits}, ${checkedAt})`);
  }
}

export type GapRow = {
  readonly chain: ChainId;
  readonly descriptor: string;
  /** How many were given out; both count from the first that was. */
  readonly issued: bigint;
  /** Of the newest `GAP_LOOKED_AT`; null when none of them was paid. */
  readonly lastPaidIndex: bigint | null;
};

/**
 * Counts back from the newest destination to the first one that was paid: that is the gap. None of
 * invoices: what a node makes has no gap, and anybody may ask for one that nobody pays. Anybody may
 * commit to a checkout too, and ask for the health of the service: not beyond `GAP_LOOKED_AT`.
 */
export function listGapRows(reader: Reader): Promise<GapRow[]> {
  const invoiceChains = listInvoiceChains();
  return reader.query<GapRow>(sql`
    select s.chain, s.descriptor, s.next_index - s.first_index as issued,
      (select d.source_index - s.first_index from deposit_instruction d
        where d.source_id = s.id and d.source_index >= s.next_index - ${GAP_LOOKED_AT}
          and exists (
            select from receipt r where r.purpose = d.purpose and r.purpose_id = d.purpose_id
              and r.instruction_id = d.id)
        order by d.source_index desc limit 1) as "lastPaidIndex"
    from address_source s where s.chain <> all(${invoiceChains}::text[]) order by s.id`);
}

/** Time of the newest block recorded on each chain, as the block states it. */
export function listNewestBlocks(
  reader: Reader,
): Promise<{ readonly chain: ChainId; readonly minedAt: Temporal.Instant }[]> {
  return reader.query(sql`
    select c.chain, b.mined_at as "minedAt" from chain_cursor c
    join chain_block b on b.chain = c.chain and b.height = c.height`);
}
