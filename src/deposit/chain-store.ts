// SQL of chain_cursor and chain_block, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { Block, BlockReference } from './network.ts';

/** Blocks kept to find the common ancestor: every one of the last hundred, then every hundredth. */
export const BLOCKS_KEPT = 2000n;
const DENSE_BLOCKS = 100n;

export type CursorRow = {
  readonly height: bigint;
  readonly hash: string;
  readonly identity: string;
};

/** Locks the cursor: one recorder a chain at a time. */
export async function lockCursor(tx: Tx, chain: ChainId): Promise<CursorRow | undefined> {
  const [row] = await tx.query<CursorRow>(
    sql`select height, hash, identity from chain_cursor where chain = ${chain} for update`,
  );
  return row;
}

export type CursorChange = {
  readonly chain: ChainId;
  readonly cursor: BlockReference;
  readonly tipHeight: bigint;
  readonly heardAt: Temporal.Instant;
  readonly brake: string | undefined;
  readonly identity: string;
};

/** False when another process wrote the cursor first. */
export async function insertCursor(tx: Tx, change: CursorChange): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into chain_cursor (chain, height, hash, tip_height, heard_at, brake, identity)
    values (${change.chain}, ${change.cursor.height}, ${change.cursor.hash}, ${change.tipHeight},
      ${change.heardAt}, ${change.brake ?? null}, ${change.identity})
    on conflict (chain) do nothing returning chain`);
  return rows.length === 1;
}

export function updateCursor(tx: Tx, change: CursorChange): void {
  tx.send(sql`
    update chain_cursor set height = ${change.cursor.height}, hash = ${change.cursor.hash},
      tip_height = ${change.tipHeight}, heard_at = ${change.heardAt},
      brake = ${change.brake ?? null}, fault = null
    where chain = ${change.chain}`);
}

export function writeFault(tx: Tx, chain: ChainId, fault: string): void {
  tx.send(sql`
    update chain_cursor set fault = ${fault}
    where chain = ${chain} and fault is distinct from ${fault}`);
}

/** Deletes the blocks of a branch that is not followed any more. */
export function deleteBlocksTo(tx: Tx, chain: ChainId, height: bigint): void {
  tx.send(sql`delete from chain_block where chain = ${chain} and height <= ${height}`);
}

export function deleteBlocksAbove(tx: Tx, chain: ChainId, height: bigint): void {
  tx.send(sql`delete from chain_block where chain = ${chain} and height > ${height}`);
}

/** Writes the blocks, and deletes those that are too old to matter. */
export function insertBlocks(
  tx: Tx,
  chain: ChainId,
  blocks: readonly Block[],
  seenAt: Temporal.Instant,
): void {
  const last = blocks.at(-1);
  if (last === undefined) return;
  tx.send(sql`
    insert into chain_block (chain, height, hash, parent_hash, mined_at, seen_at)
    select ${chain}, b.height, b.hash, b.parent_hash, b.mined_at, ${seenAt}::timestamptz
    from unnest(${blocks.map(({ height }) => height)}::bigint[],
      ${blocks.map(({ hash }) => hash)}::text[],
      ${blocks.map(({ parentHash }) => parentHash)}::text[],
      ${blocks.map(({ minedAt }) => minedAt)}::timestamptz[])
      as b(height, hash, parent_hash, mined_at)`);
  tx.send(
    sql`delete from chain_block where chain = ${chain} and height <= ${last.height - BLOCKS_KEPT}`,
  );
}

/** Times of the last recorded blocks at or below a height, lowest first. */
export async function listMinedAt(
  reader: Reader,
  chain: ChainId,
  height: bigint,
  most: number,
): Promise<Temporal.Instant[]> {
  const rows = await reader.query<{ minedAt: Temporal.Instant }>(sql`
    select mined_at as "minedAt" from chain_block
    where chain = ${chain} and height <= ${height} order by height desc limit ${most}`);
  return rows.map(({ minedAt }) => minedAt).reverse();
}

export async function findLowestBlock(reader: Reader, chain: ChainId): Promise<bigint | undefined> {
  const [row] = await reader.query<{ height: bigint | null }>(
    sql`select min(height) as height from chain_block where chain = ${chain}`,
  );
  return row?.height ?? undefined;
}

type PositionRow = {
  readonly height: bigint | null;
  readonly hash: string | null;
  readonly heights: bigint[] | null;
  readonly hashes: string[] | null;
  readonly unconfirmed: string[] | null;
};

/** Rows of unconfirmed receipts that one step looks at. */
const UNCONFIRMED_MOST = 1_000;

/** From after that transaction on, then, where there is room, from the beginning. */
export async function readPositionRow(
  reader: Reader,
  chain: ChainId,
  unconfirmedAfter: string,
): Promise<PositionRow> {
  const [row] = await reader.query<PositionRow>(sql`
    select c.height, c.hash, b.heights, b.hashes, r.unconfirmed
    from (select 1) as one
    left join chain_cursor c on c.chain = ${chain}
    left join lateral (
      select array_agg(height order by height desc) as heights,
        array_agg(hash order by height desc) as hashes
      from chain_block where chain = ${chain}
        and (height > c.height - ${DENSE_BLOCKS} or height % ${DENSE_BLOCKS} = 0)) b on true
    left join lateral (
      select array_agg(transaction order by turn, transaction) as unconfirmed from (
        (select 1 as turn, transaction from receipt
          where chain = ${chain} and status = 'SEEN' and transaction > ${unconfirmedAfter}
          order by transaction limit ${UNCONFIRMED_MOST})
        union all
        (select 2, transaction from receipt
          where chain = ${chain} and status = 'SEEN' and transaction <= ${unconfirmedAfter}
          order by transaction limit ${UNCONFIRMED_MOST})
        limit ${UNCONFIRMED_MOST}) window_of_them) r on true`);
  return row as PositionRow;
}

export type ChainStatusRow = {
  readonly chain: ChainId;
  readonly height: bigint;
  readonly hash: string;
  readonly tipHeight: bigint;
  readonly heardAt: Temporal.Instant;
  readonly brake: string | null;
  readonly fault: string | null;
  readonly identity: string;
};

export function listChainStatusRows(reader: Reader): Promise<ChainStatusRow[]> {
  return reader.query<ChainStatusRow>(sql`
    select chain, height, hash, tip_height as "tipHeight", heard_at as "heardAt", brake, fault,
      identity
    from chain_cursor order by chain`);
}

export async function findChainStatusRow(
  reader: Reader,
  chain: ChainId,
): Promise<ChainStatusRow | undefined> {
  const [row] = await reader.query<ChainStatusRow>(sql`
    select chain, height, hash, tip_height as "tipHeight", heard_at as "heardAt", brake, fault,
      identity
    from chain_cursor where chain = ${chain}`);
  return row;
}
