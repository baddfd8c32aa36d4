// Blocks of the simulated chains, and the SQL of their tables. The row of a chain is the lock under
// which it changes.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { listNetworks } from '#catalog/network.ts';
import { sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { BlockReference } from '#deposit/network.ts';
import { isHeard } from './sandbox-transaction.ts';

export const SANDBOX_CHAIN = defineTable('sandbox_chain', {
  chain: text<ChainId>(),
  /** Counts the branches: blocks of the same height have another hash in each. */
  fork: selectOnly(integer),
  frozenUntil: selectOnly(optional(moment)),
  nextBlockAt: moment,
});

export const SANDBOX_BLOCK = defineTable('sandbox_block', {
  chain: text<ChainId>(),
  height: bigInteger,
  hash: text(),
  parentHash: text(),
  minedAt: moment,
});

export type SandboxState = Row<typeof SANDBOX_CHAIN> & { readonly tip: BlockReference };

const NO_PARENT = '0'.repeat(64);
/** Blocks kept: more than the service itself keeps. */
const BLOCKS_KEPT = 5000n;

export function genesisHash(chain: ChainId): string {
  return blockHash(chain, 0n, NO_PARENT, 0);
}

function blockHash(chain: ChainId, height: bigint, parentHash: string, fork: number): string {
  return createHash('sha256').update(`${chain}/${height}/${parentHash}/${fork}`).digest('hex');
}

/**
 * Locks the chain until the transaction ends, and makes it when it is new. One round trip, which
 * writes no row, for one that is there: this is asked several times a second.
 */
export async function lockSandboxChain(
  tx: Tx,
  chain: ChainId,
  now: Temporal.Instant,
): Promise<SandboxState> {
  const found = await lockFound(tx, chain);
  if (found !== undefined) return found;
  const known = sql`on conflict (chain) do nothing`;
  tx.send(SANDBOX_CHAIN.insert([{ chain, nextBlockAt: now }], known));
  // Behind the lock: of two that make it, the second waits, and sees the first block of the other.
  await SANDBOX_CHAIN.find(tx, sql`where chain = ${chain} for update`);
  tx.send(sql`insert into sandbox_block (chain, height, hash, parent_hash, mined_at)
    select ${chain}, 0, ${genesisHash(chain)}, ${NO_PARENT}, ${now}
    where not exists (select 1 from sandbox_block where chain = ${chain})`);
  const made = await lockFound(tx, chain);
  assert(made !== undefined, 'a simulated chain has a block');
  return made;
}

/** Undefined where the chain, or its first block, is not there yet. */
async function lockFound(tx: Tx, chain: ChainId): Promise<SandboxState | undefined> {
  const locked = SANDBOX_CHAIN.find(tx, sql`where chain = ${chain} for update`);
  const top = tx.query<BlockReference>(sql`
    select height, hash from sandbox_block where chain = ${chain} order by height desc limit 1`);
  const [state, [tip]] = await Promise.all([locked, top]);
  return state === undefined || tip === undefined ? undefined : { ...state, tip };
}

export function isFrozen(
  frozenUntil: Temporal.Instant | undefined,
  now: Temporal.Instant,
): boolean {
  return frozenUntil !== undefined && Temporal.Instant.compare(now, frozenUntil) < 0;
}

/** A block on top of `parent`, with everything in the mempool that may be mined. */
export function addBlock(
  tx: Tx,
  chain: ChainId,
  block: {
    readonly parent: BlockReference;
    readonly fork: number;
    readonly minedAt: Temporal.Instant;
    /** Whether everything goes in that is not held back. */
    readonly takesReady: boolean;
    /** Goes in whether held back or not. */
    readonly named?: readonly string[];
  },
): BlockReference {
  const { parent, fork, minedAt, takesReady, named = [] } = block;
  const height = parent.height + 1n;
  const hash = blockHash(chain, height, parent.hash, fork);
  tx.send(SANDBOX_BLOCK.insert([{ chain, height, hash, parentHash: parent.hash, minedAt }]));
  tx.send(sql`
    update sandbox_transfer set state = 'MINED', block_height = ${height}
    where chain = ${chain} and state = 'MEMPOOL' and (transaction = any(${named}::text[])
      or (${takesReady} and (mine_after is null or mine_after <= ${minedAt})
        and ${isHeard(minedAt)}))`);
  forgetBlocks(tx, chain, height);
  return { height, hash };
}

/** Blocks in which nothing is, one on the other. */
export function addEmptyBlocks(
  tx: Tx,
  chain: ChainId,
  block: {
    readonly parent: BlockReference;
    readonly fork: number;
    readonly minedAt: Temporal.Instant;
    readonly count: number;
  },
): BlockReference {
  const { fork, minedAt, count } = block;
  let { parent } = block;
  if (count === 0) return parent;
  const blocks = Array.from({ length: count }, () => {
    const height = parent.height + 1n;
    const hash = blockHash(chain, height, parent.hash, fork);
    const made = { chain, height, hash, parentHash: parent.hash, minedAt };
    parent = { height, hash };
    return made;
  });
  tx.send(SANDBOX_BLOCK.insert(blocks));
  forgetBlocks(tx, chain, parent.height);
  return parent;
}

function forgetBlocks(tx: Tx, chain: ChainId, tip: bigint): void {
  tx.send(sql`delete from sandbox_block where chain = ${chain} and height <= ${tip - BLOCKS_KEPT}`);
}

/** Another branch begins: the blocks above the ancestor are gone, and later ones hash anew. */
export function beginFork(tx: Tx, chain: ChainId, ancestorHeight: bigint): void {
  tx.send(sql`delete from sandbox_block where chain = ${chain} and height > ${ancestorHeight}`);
  tx.send(sql`update sandbox_chain set fork = fork + 1 where chain = ${chain}`);
}

/**
 * Blocks of other hashes take the place of all from this height on, at the same heights and times,
 * and `more` on top of them.
 */
export async function replaceBlocksFrom(
  tx: Tx,
  chain: ChainId,
  from: bigint,
  {
    fork,
    more,
    now,
  }: { readonly fork: number; readonly more: bigint; readonly now: Temporal.Instant },
): Promise<BlockReference> {
  const [base, ...above] = await SANDBOX_BLOCK.select(
    tx,
    sql`where chain = ${chain} and height >= ${from - 1n} order by height`,
  );
  assert(base?.height === from - 1n, `${chain} has no block ${from - 1n}`);
  const times = [
    ...above.map(({ minedAt }) => minedAt),
    ...Array<Temporal.Instant>(Number(more)).fill(now),
  ];
  let parent: BlockReference = base;
  const blocks = times.map((minedAt) => {
    const height = parent.height + 1n;
    const hash = blockHash(chain, height, parent.hash, fork);
    const block = { chain, height, hash, parentHash: parent.hash, minedAt };
    parent = block;
    return block;
  });
  beginFork(tx, chain, base.height);
  tx.send(SANDBOX_BLOCK.insert(blocks));
  return { height: parent.height, hash: parent.hash };
}

// Which networks are simulated, and how fast: real ones would make a test wait. Every network of
// the catalog is, so that a test key shows all there is.
export type SandboxChain = {
  readonly chain: ChainId;
  /** Undefined where a payment is a block of its own, at once. */
  readonly blockSeconds: number | undefined;
};

export const SANDBOX_CHAINS: readonly SandboxChain[] = listNetworks().map(
  ({ id, simulatedBlockSeconds }) => ({
    chain: chainOf('test', id),
    blockSeconds: simulatedBlockSeconds,
  }),
);

const BY_CHAIN = new Map(SANDBOX_CHAINS.map((sandbox) => [sandbox.chain, sandbox]));

/** Undefined for a chain that is not simulated. */
export function findSandboxChain(chain: ChainId): SandboxChain | undefined {
  return BY_CHAIN.get(chain);
}
