// What addresses of ours were found to hold on an EVM chain, at which block, and the SQL of that
// table. Blocks are final: a row is a fact, and writing it a second time changes nothing.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { bigInteger, defineTable, type Row, text, units } from '#db/table.ts';

export const EVM_BALANCE = defineTable('evm_balance', {
  chain: text<ChainId>(),
  address: text(),
  assetId: text(),
  height: bigInteger,
  units,
});

export type HeldBalance = Omit<Row<typeof EVM_BALANCE>, 'chain'>;
export type HeldKey = Pick<HeldBalance, 'address' | 'assetId'>;

/** The last ones known at or below a height; those never looked at are not among them. */
export async function readBalances(
  reader: Reader,
  chain: ChainId,
  keys: readonly HeldKey[],
  height: bigint,
): Promise<HeldBalance[]> {
  if (keys.length === 0) return [];
  return reader.query<HeldBalance>(sql`
    select w.address, w.asset_id as "assetId", b.height, b.units
    from unnest(${keys.map(({ address }) => address)}::text[],
      ${keys.map(({ assetId }) => assetId)}::text[]) as w(address, asset_id)
    cross join lateral (
      select height, units from evm_balance
      where chain = ${chain} and address = w.address and asset_id = w.asset_id
        and height <= ${height}
      order by height desc limit 1) b`);
}

/** Rows that later ones have replaced are deleted, of these addresses and below `keptFrom`. */
export async function writeBalances(
  db: Db,
  chain: ChainId,
  balances: readonly HeldBalance[],
  keptFrom: bigint,
): Promise<void> {
  if (balances.length === 0) return;
  const rows = balances.map((balance) => ({ chain, ...balance }));
  const statement = sql`
    with added as (${EVM_BALANCE.insert(rows, sql`on conflict do nothing`)})
    delete from evm_balance old
    using unnest(${balances.map(({ address }) => address)}::text[],
      ${balances.map(({ assetId }) => assetId)}::text[]) as n(address, asset_id)
    where old.chain = ${chain} and old.address = n.address and old.asset_id = n.asset_id
      and old.height < (
        select max(height) from evm_balance base
        where base.chain = ${chain} and base.address = n.address
          and base.asset_id = n.asset_id and base.height <= ${keptFrom})`;
  await db.single((tx) => tx.query(statement));
}

/** For blocks that are read again, because they may be others now. */
export async function deleteBalancesAbove(db: Db, chain: ChainId, height: bigint): Promise<void> {
  const statement = sql`delete from evm_balance where chain = ${chain} and height > ${height}`;
  await db.single((tx) => tx.query(statement));
}
