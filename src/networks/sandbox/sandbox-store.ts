// SQL of the simulated chains, private to this folder. One row of sandbox_chain is the lock under
// which a chain changes; everything is read in one statement, so that a reader never sees half a
// block.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';

export type SandboxState = {
  readonly fork: number;
  readonly frozenUntil: Temporal.Instant | null;
  readonly nextBlockAt: Temporal.Instant;
  readonly tip: BlockReference;
};

const NO_PARENT = '0'.repeat(64);
/** Blocks kept: more than the service itself keeps. */
const BLOCKS_KEPT = 5000n;

export function genesisHash(chain: ChainId): string {
  return blockHash(chain, 0n, NO_PARENT, 0);
}

function blockHash(chain: ChainId, height: bigint, parentHash: string, fork: number): string {
  return createHash('sha256').update(`${chain}/${height}/${parentHash}/${fork}`).digest('hex');
}

/** Makes the chain when it is new, and locks it until the transaction ends. One round trip. */
export async function lockSandboxChain(
  tx: Tx,
  chain: ChainId,
  now: Temporal.Instant,
): Promise<SandboxState> {
  tx.send(sql`insert into sandbox_chain (chain, next_block_at) values (${chain}, ${now})
    on conflict (chain) do nothing`);
  const locked = tx.query<Omit<SandboxState, 'tip'>>(sql`
    select fork, frozen_until as "frozenUntil", next_block_at as "nextBlockAt"
    from sandbox_chain where chain = ${chain} for update`);
  tx.send(sql`insert into sandbox_block (chain, height, hash, parent_hash, mined_at)
    select ${chain}, 0, ${genesisHash(chain)}, ${NO_PARENT}, ${now}
    where not exists (select 1 from sandbox_block where chain = ${chain})`);
  const top = tx.query<BlockReference>(sql`
    select height, hash from sandbox_block where chain = ${chain} order by height desc limit 1`);
  const [[state], [tip]] = await Promise.all([locked, top]);
  assert(state !== undefined && tip !== undefined, 'a simulated chain has a block');
  return { ...state, tip };
}

export async function listDueChains(
  reader: Reader,
  chains: readonly ChainId[],
  now: Temporal.Instant,
): Promise<ChainId[]> {
  const rows = await reader.query<{ chain: ChainId }>(sql`
    select wanted.chain from unnest(${chains}::text[]) as wanted(chain)
    left join sandbox_chain c on c.chain = wanted.chain
    where c.chain is null
      or (c.next_block_at <= ${now} and (c.frozen_until is null or c.frozen_until <= ${now}))`);
  return rows.map(({ chain }) => chain);
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
  tx.send(sql`
    insert into sandbox_block (chain, height, hash, parent_hash, mined_at)
    values (${chain}, ${height}, ${hash}, ${parent.hash}, ${minedAt})`);
  tx.send(sql`
    update sandbox_transfer set state = 'MINED', block_height = ${height}
    where chain = ${chain} and state = 'MEMPOOL' and (transaction = any(${named}::text[])
      or (${takesReady} and (mine_after is null or mine_after <= ${minedAt})))`);
  tx.send(
    sql`delete from sandbox_block where chain = ${chain} and height <= ${height - BLOCKS_KEPT}`,
  );
  return { height, hash };
}

export function setNextBlockAt(tx: Tx, chain: ChainId, at: Temporal.Instant): void {
  tx.send(sql`update sandbox_chain set next_block_at = ${at} where chain = ${chain}`);
}

export function setFrozenUntil(tx: Tx, chain: ChainId, until: Temporal.Instant | undefined): void {
  tx.send(sql`update sandbox_chain set frozen_until = ${until ?? null} where chain = ${chain}`);
}

export type SandboxOutput = {
  /** Canonical form. */
  readonly destination: string;
  readonly assetId: string;
  readonly units: bigint;
};

export type SandboxTransaction = {
  readonly transaction: string;
  readonly spends: readonly string[];
  readonly outputs: readonly SandboxOutput[];
};

export function insertTransaction(
  tx: Tx,
  chain: ChainId,
  sent: SandboxTransaction,
  times: { readonly now: Temporal.Instant; readonly mineAfter: Temporal.Instant | undefined },
): void {
  tx.send(sql`
    insert into sandbox_transfer (chain, transaction, position, spends, destination, asset_id,
      units, state, mine_after, created_at)
    select ${chain}, ${sent.transaction}, o.position - 1, ${sent.spends}::text[], o.destination,
      o.asset_id, o.units, 'MEMPOOL', ${times.mineAfter ?? null}::timestamptz,
      ${times.now}::timestamptz
    from unnest(${sent.outputs.map(({ destination }) => destination)}::text[],
      ${sent.outputs.map(({ assetId }) => assetId)}::text[],
      ${sent.outputs.map(({ units }) => units)}::numeric[])
      with ordinality as o(destination, asset_id, units, position)`);
}

export type StoredTransaction = SandboxTransaction & {
  readonly state: 'MEMPOOL' | 'MINED' | 'REPLACED' | 'DROPPED';
  readonly blockHeight: bigint | null;
};

type TransactionRow = {
  readonly transaction: string;
  readonly spends: string[];
  readonly state: StoredTransaction['state'];
  readonly blockHeight: bigint | null;
  readonly destinations: string[];
  readonly assetIds: string[];
  readonly units: bigint[];
};

async function readTransactions(
  reader: Reader,
  where: ReturnType<typeof sql>,
): Promise<StoredTransaction[]> {
  const rows = await reader.query<TransactionRow>(sql`
    select transaction, min(spends) as spends, min(state) as state,
      min(block_height) as "blockHeight",
      array_agg(destination order by position) as destinations,
      array_agg(asset_id order by position) as "assetIds",
      array_agg(units order by position) as units
    from sandbox_transfer where ${where} group by transaction order by min(id)`);
  return rows.map(({ destinations, assetIds, units, ...row }) => ({
    ...row,
    outputs: destinations.map((destination, index) => ({
      destination,
      assetId: assetIds[index] ?? '',
      units: units[index] ?? 0n,
    })),
  }));
}

export async function findTransaction(
  reader: Reader,
  chain: ChainId,
  transaction: string,
): Promise<StoredTransaction | undefined> {
  const found = await readTransactions(
    reader,
    sql`chain = ${chain} and transaction = ${transaction}`,
  );
  return found[0];
}

export function listTransactionsAbove(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<StoredTransaction[]> {
  return readTransactions(reader, sql`chain = ${chain} and block_height > ${height}`);
}

/** What stands and pays one of these destinations. */
export function listTransactionsTo(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
): Promise<StoredTransaction[]> {
  return readTransactions(
    reader,
    sql`chain = ${chain} and state in ('MEMPOOL', 'MINED')
      and destination = any(${destinations}::text[])`,
  );
}

export function setState(
  tx: Tx,
  chain: ChainId,
  transactions: readonly string[],
  state: 'MEMPOOL' | 'REPLACED' | 'DROPPED',
): void {
  tx.send(sql`
    update sandbox_transfer set state = ${state}, block_height = null
    where chain = ${chain} and transaction = any(${transactions}::text[])`);
}

export function deleteSandboxBlocksAbove(tx: Tx, chain: ChainId, height: bigint): void {
  tx.send(sql`delete from sandbox_block where chain = ${chain} and height > ${height}`);
}

export async function getSandboxBlock(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<BlockReference> {
  const [block] = await reader.query<BlockReference>(
    sql`select height, hash from sandbox_block where chain = ${chain} and height = ${height}`,
  );
  assert(block !== undefined, `${chain} has no block ${height}`);
  return block;
}

export function raiseFork(tx: Tx, chain: ChainId): void {
  tx.send(sql`update sandbox_chain set fork = fork + 1 where chain = ${chain}`);
}
