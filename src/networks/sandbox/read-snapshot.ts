// Reads a simulated chain in one statement, so that a reader never sees half a block.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { BlockReference, Position } from '#deposit/network.ts';
import { isHeard } from './sandbox-transaction.ts';

export type SnapshotOutput = {
  readonly transaction: string;
  readonly position: number;
  readonly spends: string[];
  readonly destination: string;
  readonly assetId: string;
  readonly units: string;
  readonly height: string | null;
};
type SnapshotBlock = {
  readonly height: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly minedAt: string;
};
export type Snapshot = {
  readonly frozenUntil: Temporal.Instant | undefined;
  readonly tip: BlockReference;
  readonly blocks: readonly SnapshotBlock[];
  readonly mined: readonly SnapshotOutput[];
  readonly mempool: readonly SnapshotOutput[];
  /** Those transactions that were asked about and are in the mempool or in a block. */
  readonly standing: readonly string[];
};

type SnapshotRow = {
  readonly frozenUntil: Temporal.Instant | null;
  readonly height: bigint;
  readonly hash: string;
  readonly blocks: string;
  readonly mined: string;
  readonly mempool: string;
  readonly standing: string[];
};

/** The chain above what is recorded, and the mempool, at one moment; undefined before it exists. */
export async function readSnapshot(
  reader: Reader,
  chain: ChainId,
  position: Position,
  { mostBlocks, now }: { readonly mostBlocks: number; readonly now: Temporal.Instant },
): Promise<Snapshot | undefined> {
  const known = position.cursor === undefined ? [] : [position.cursor, ...position.recent];
  const transfer = sql`json_build_object('transaction', transaction, 'position', position,
    'spends', spends, 'destination', destination, 'assetId', asset_id, 'units', units::text,
    'height', block_height::text)`;
  const [row] = await reader.query<SnapshotRow>(sql`
    with tip as (
      select height, hash from sandbox_block where chain = ${chain} order by height desc limit 1),
    base as (
      select coalesce(
        (select max(b.height) from sandbox_block b
          join unnest(${known.map(({ height }) => height)}::bigint[],
            ${known.map(({ hash }) => hash)}::text[]) as k(height, hash)
          on b.height = k.height and b.hash = k.hash where b.chain = ${chain}),
        tip.height - ${mostBlocks}::bigint) as height from tip)
    select c.frozen_until as "frozenUntil", tip.height, tip.hash,
      (select coalesce(json_agg(json_build_object('height', height::text, 'hash', hash,
          'parentHash', parent_hash, 'minedAt', mined_at) order by height), '[]')
        from sandbox_block where chain = ${chain} and height >= base.height
          and height <= base.height + ${mostBlocks}::bigint) as blocks,
      (select coalesce(json_agg(${transfer} order by id), '[]') from sandbox_transfer
        where chain = ${chain} and block_height > base.height
          and block_height <= base.height + ${mostBlocks}::bigint) as mined,
      (select coalesce(json_agg(${transfer} order by id), '[]') from sandbox_transfer
        where chain = ${chain} and state = 'MEMPOOL' and ${isHeard(now)}) as mempool,
      array(select distinct transaction from sandbox_transfer where chain = ${chain}
        and transaction = any(${position.unconfirmed}::text[])
        and state in ('MEMPOOL', 'MINED')) as standing
    from sandbox_chain c, tip, base where c.chain = ${chain}`);
  if (row === undefined) return undefined;
  return {
    frozenUntil: row.frozenUntil ?? undefined,
    tip: { height: row.height, hash: row.hash },
    blocks: JSON.parse(row.blocks) as SnapshotBlock[],
    mined: JSON.parse(row.mined) as SnapshotOutput[],
    mempool: JSON.parse(row.mempool) as SnapshotOutput[],
    standing: row.standing,
  };
}

/** Changes whenever a block or the mempool changes: cheap to ask often. */
export async function readPulse(reader: Reader, chain: ChainId): Promise<string> {
  const [row] = await reader.query<{ pulse: string }>(sql`
    select concat_ws('/',
      (select hash from sandbox_block where chain = ${chain} order by height desc limit 1),
      (select concat(count(*), ':', max(id)) from sandbox_transfer
        where chain = ${chain} and state = 'MEMPOOL')) as pulse`);
  return row?.pulse ?? '';
}
