// How far a chain has been read, the last of its blocks, which are kept to find the common ancestor
// after a reorganisation, and the SQL of both tables. Nothing expires while its chain is behind
// (C8): the payment may stand in a block that we have not read.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  insertOnly,
  json,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { Block, BrakeCause, Position } from '#deposit/network.ts';
import { createBatch } from '#runtime/batch.ts';

export const CHAIN_CURSOR = defineTable('chain_cursor', {
  chain: text<ChainId>(),
  /** Of the last block that was recorded. */
  height: bigInteger,
  hash: text(),
  tipHeight: bigInteger,
  heardAt: moment,
  /** Why finality is held back, if it is. */
  brake: optional(text()),
  /** The same one by one. */
  brakeCauses: optional(json<readonly BrakeCause[]>()),
  /** What stopped the last look, whichever process took it. */
  fault: selectOnly(optional(text())),
  identity: text(),
});
type Cursor = Row<typeof CHAIN_CURSOR>;
export type CursorChange = Omit<Cursor, 'fault'>;

export type ChainStatus = Cursor & {
  /** Blocks the node has and we have not. */
  readonly lag: bigint;
};

/** Until the transaction ends nobody else records anything of this chain. */
export function lockCursor(tx: Tx, chain: ChainId): Promise<Cursor | undefined> {
  return CHAIN_CURSOR.find(tx, sql`where chain = ${chain} for update`);
}

/** False when another was first. */
export async function insertCursor(tx: Tx, change: CursorChange): Promise<boolean> {
  const rest = sql`on conflict (chain) do nothing returning chain`;
  return (await tx.query(CHAIN_CURSOR.insert([change], rest))).length === 1;
}

export function updateCursor(tx: Tx, change: CursorChange): void {
  tx.send(sql`
    update chain_cursor set height = ${change.height}, hash = ${change.hash},
      tip_height = ${change.tipHeight}, heard_at = ${change.heardAt},
      brake = ${change.brake ?? null}, fault = null,
      brake_causes = ${change.brakeCauses === undefined ? null : JSON.stringify(change.brakeCauses)}
    where chain = ${change.chain}`);
}

/** Why the watch stands still; what is recorded next takes it away again. */
export async function writeChainFault(db: Db, chain: ChainId, fault: string): Promise<void> {
  await db.single(async (tx) =>
    tx.send(sql`
      update chain_cursor set fault = ${fault}
      where chain = ${chain} and fault is distinct from ${fault}`),
  );
}

/** A chain that was not heard for so long is behind, whatever was read before. */
const SILENCE_SECONDS = 60;

export async function listChainStatuses(reader: Reader): Promise<ChainStatus[]> {
  return (await CHAIN_CURSOR.select(reader, sql`order by chain`)).map(statusOf);
}

/** Undefined when the chain was never heard. */
export async function findChainStatus(
  reader: Reader,
  chain: ChainId,
): Promise<ChainStatus | undefined> {
  const cursor = await CHAIN_CURSOR.find(reader, sql`where chain = ${chain}`);
  return cursor && statusOf(cursor);
}

function statusOf(cursor: Cursor): ChainStatus {
  const { tipHeight, height } = cursor;
  return { ...cursor, lag: tipHeight > height ? tipHeight - height : 0n };
}

/** `since`: the chain must have been heard after that time too, for example the end of a lock. */
export function isBehind(
  status: ChainStatus | undefined,
  now: Temporal.Instant,
  since?: Temporal.Instant,
): boolean {
  if (status === undefined || status.lag > 0n) return true;
  if (since !== undefined && Temporal.Instant.compare(status.heardAt, since) < 0) return true;
  const silentSince = now.subtract({ seconds: SILENCE_SECONDS });
  return Temporal.Instant.compare(status.heardAt, silentSince) < 0;
}

export async function isChainBehind(
  reader: Reader,
  chain: ChainId,
  now: Temporal.Instant,
  since?: Temporal.Instant,
): Promise<boolean> {
  return isBehind(await findChainStatus(reader, chain), now, since);
}

type Look = () => Promise<readonly ChainStatus[]>;

const looks = new WeakMap<Db, Look>();
const READERS_MOST = 1_000;

/**
 * The statuses of all chains for many readers at once, never older than the call: who asks while a
 * look is under way waits for the next one, which serves all of them.
 */
export function sharedChainStatuses(db: Db): Promise<readonly ChainStatus[]> {
  const look = looks.get(db) ?? openLook(db);
  looks.set(db, look);
  return look();
}

function openLook(db: Db): Look {
  const batch = createBatch<undefined, readonly ChainStatus[]>({
    most: READERS_MOST,
    atOnce: 1,
    async run(readers) {
      const statuses = await listChainStatuses(db);
      return readers.map(() => statuses);
    },
  });
  return () => batch(undefined);
}

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

/** Undefined where the block is not kept. */
export async function findBlockHash(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<string | undefined> {
  const [row] = await reader.query<{ hash: string }>(
    sql`select hash from chain_block where chain = ${chain} and height = ${height}`,
  );
  return row?.hash;
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
