// The blocks of a chain that are kept, to find the common ancestor after a reorganisation, and
// where an adapter goes on from.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { bigInteger, defineTable, insertOnly, moment, text } from '#db/table.ts';
import type { Block, Position } from './network.ts';

export const CHAIN_BLOCK = defineTable('chain_block', {
  chain: insertOnly(text<ChainId>()),
  height: bigInteger,
  hash: text(),
  parentHash: insertOnly(text()),
  /** As the block states it. */
  minedAt: moment,
  seenAt: insertOnly(moment),
});
const TIMES = CHAIN_BLOCK.only('minedAt');

/** Kept are every one of the last hundred, then every hundredth. */
const BLOCKS_KEPT = 2000n;
const DENSE_BLOCKS = 100n;

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
  tx.send(CHAIN_BLOCK.insert(blocks.map((block) => ({ ...block, chain, seenAt }))));
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
  const rows = await TIMES.select(
    reader,
    sql`where chain = ${chain} and height <= ${height} order by height desc limit ${most}`,
  );
  return rows.map(({ minedAt }) => minedAt).reverse();
}

/** Below it nothing can be walked back to; undefined before the first step ever. */
export async function lowestKeptBlock(reader: Reader, chain: ChainId): Promise<bigint | undefined> {
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

/**
 * What an adapter is told before each step, in one query. Of what stands unconfirmed a part of so
 * many: whoever watches says after which transaction it begins, and so comes round to each.
 */
export async function readPosition(
  reader: Reader,
  chain: ChainId,
  { unconfirmedAfter = '' }: { readonly unconfirmedAfter?: string } = {},
): Promise<Position> {
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
  assert(row !== undefined, 'it joins to one row');
  const { height, hash, heights, hashes, unconfirmed } = row;
  const cursor = height === null || hash === null ? undefined : { height, hash };
  const recent = (heights ?? []).map((blockHeight, index) => {
    const blockHash = hashes?.[index];
    assert(blockHash !== undefined, 'every height has its hash');
    return { height: blockHeight, hash: blockHash };
  });
  return { cursor, recent, unconfirmed: [...new Set(unconfirmed)] };
}
