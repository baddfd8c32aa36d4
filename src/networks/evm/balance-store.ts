// SQL of evm_balance, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';

export type HeldKey = { readonly address: string; readonly assetId: string };
export type HeldBalance = HeldKey & { readonly height: bigint; readonly units: bigint };

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

/**
 * These are facts, so writing them a second time changes nothing. Rows that later ones have
 * replaced are deleted.
 */
export async function writeBalances(
  db: Db,
  chain: ChainId,
  balances: readonly HeldBalance[],
  keptFrom: bigint,
): Promise<void> {
  if (balances.length === 0) return;
  const addresses = balances.map(({ address }) => address);
  const assets = balances.map(({ assetId }) => assetId);
  await db.query(sql`
    with added as (
      insert into evm_balance (chain, address, asset_id, height, units)
      select ${chain}, n.address, n.asset_id, n.height, n.units
      from unnest(${addresses}::text[], ${assets}::text[],
        ${balances.map(({ height }) => height)}::bigint[],
        ${balances.map(({ units }) => units)}::numeric[]) as n(address, asset_id, height, units)
      on conflict do nothing)
    delete from evm_balance old
    using unnest(${addresses}::text[], ${assets}::text[]) as n(address, asset_id)
    where old.chain = ${chain} and old.address = n.address and old.asset_id = n.asset_id
      and old.height < (
        select max(height) from evm_balance base
        where base.chain = ${chain} and base.address = n.address
          and base.asset_id = n.asset_id and base.height <= ${keptFrom})`);
}

/** Of blocks that are read again: they may be others now. */
export async function deleteBalancesAbove(db: Db, chain: ChainId, height: bigint): Promise<void> {
  await db.query(sql`delete from evm_balance where chain = ${chain} and height > ${height}`);
}

/** Up to which index every address of a source has been looked at; -1 when none has. */
export async function readLookedTo(
  reader: Reader,
  chain: ChainId,
  descriptor: string,
): Promise<bigint> {
  const [row] = await reader.query<{ lookedTo: bigint }>(sql`
    select looked_to as "lookedTo" from evm_first_look
    where chain = ${chain} and descriptor = ${descriptor}`);
  return row?.lookedTo ?? -1n;
}

export async function writeLookedTo(
  db: Db,
  chain: ChainId,
  descriptor: string,
  lookedTo: bigint,
): Promise<void> {
  await db.query(sql`
    insert into evm_first_look (chain, descriptor, looked_to)
    values (${chain}, ${descriptor}, ${lookedTo})
    on conflict (chain, descriptor)
      do update set looked_to = greatest(evm_first_look.looked_to, excluded.looked_to)`);
}
