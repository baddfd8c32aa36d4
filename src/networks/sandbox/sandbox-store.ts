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

/** Of a transfer: its merchant has not let the node fall silent. */
export function isHeard(now: Temporal.Instant): ReturnType<typeof sql> {
  return sql`not exists (select 1 from sandbox_silence s where s.chain = sandbox_transfer.chain
    and s.merchant_id = sandbox_transfer.merchant_id and s.until > ${now})`;
}

/** Chains of these on which payments wait that were silent, and are not any more. */
export async function listWokenChains(
  reader: Reader,
  chains: readonly ChainId[],
  now: Temporal.Instant,
): Promise<ChainId[]> {
  const rows = await reader.query<{ chain: ChainId }>(sql`
    select distinct t.chain from sandbox_transfer t
    join sandbox_silence s on s.chain = t.chain and s.merchant_id = t.merchant_id
    where t.state = 'MEMPOOL' and t.chain = any(${chains}::text[]) and s.until <= ${now}
      and (t.mine_after is null or t.mine_after <= ${now})`);
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
      or (${takesReady} and (mine_after is null or mine_after <= ${minedAt})
        and ${isHeard(minedAt)}))`);
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
  about: {
    readonly now: Temporal.Instant;
    readonly mineAfter: Temporal.Instant | undefined;
    readonly merchantId?: string | undefined;
  },
): void {
  tx.send(sql`
    insert into sandbox_transfer (chain, transaction, position, spends, destination, asset_id,
      units, state, mine_after, created_at, merchant_id)
    select ${chain}, ${sent.transaction}, o.position - 1, ${sent.spends}::text[], o.destination,
      o.asset_id, o.units, 'MEMPOOL', ${about.mineAfter ?? null}::timestamptz,
      ${about.now}::timestamptz, ${about.merchantId ?? null}::text
    from unnest(${sent.outputs.map(({ destination }) => destination)}::text[],
      ${sent.outputs.map(({ assetId }) => assetId)}::text[],
      ${sent.outputs.map(({ units }) => units)}::numeric[])
      with ordinality as o(destination, asset_id, units, position)`);
}

export type StoredTransaction = SandboxTransaction & {
  readonly state: 'MEMPOOL' | 'MINED' | 'REPLACED' | 'DROPPED';
  readonly blockHeight: bigint | null;
  readonly merchantId: string | null;
};

type TransactionRow = {
  readonly transaction: string;
  readonly spends: string[];
  readonly state: StoredTransaction['state'];
  readonly blockHeight: bigint | null;
  readonly merchantId: string | null;
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
      min(block_height) as "blockHeight", min(merchant_id) as "merchantId",
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

/** What waits to be mined and is not held back. */
export function listReadyTransactions(
  reader: Reader,
  chain: ChainId,
  now: Temporal.Instant,
): Promise<StoredTransaction[]> {
  return readTransactions(
    reader,
    sql`chain = ${chain} and state = 'MEMPOOL' and (mine_after is null or mine_after <= ${now})
      and ${isHeard(now)}`,
  );
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

/** Where transactions are mined now, each at its own height. */
export function setHeights(tx: Tx, chain: ChainId, heights: ReadonlyMap<string, bigint>): void {
  tx.send(sql`
    update sandbox_transfer t set state = 'MINED', block_height = v.height
    from unnest(${[...heights.keys()]}::text[], ${[...heights.values()]}::bigint[])
      as v(transaction, height)
    where t.chain = ${chain} and t.transaction = v.transaction`);
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
  const known = await tx.query<{ height: bigint; hash: string; minedAt: Temporal.Instant }>(sql`
    select height, hash, mined_at as "minedAt" from sandbox_block
    where chain = ${chain} and height >= ${from - 1n} order by height`);
  const [base, ...above] = known;
  assert(base?.height === from - 1n, `${chain} has no block ${from - 1n}`);
  const times = [
    ...above.map(({ minedAt }) => minedAt),
    ...Array<Temporal.Instant>(Number(more)).fill(now),
  ];
  let parent: BlockReference = base;
  const blocks = times.map((minedAt) => {
    const height = parent.height + 1n;
    const block = { height, hash: blockHash(chain, height, parent.hash, fork), minedAt };
    const made = { ...block, parentHash: parent.hash };
    parent = block;
    return made;
  });
  deleteSandboxBlocksAbove(tx, chain, base.height);
  tx.send(sql`
    insert into sandbox_block (chain, height, hash, parent_hash, mined_at)
    select ${chain}, b.height, b.hash, b.parent_hash, b.mined_at
    from unnest(${blocks.map(({ height }) => height)}::bigint[],
      ${blocks.map(({ hash }) => hash)}::text[],
      ${blocks.map(({ parentHash }) => parentHash)}::text[],
      ${blocks.map(({ minedAt }) => minedAt)}::timestamptz[])
      as b(height, hash, parent_hash, mined_at)`);
  raiseFork(tx, chain);
  return { height: parent.height, hash: parent.hash };
}

export function setSilence(
  tx: Tx,
  chain: ChainId,
  merchantId: string,
  until: Temporal.Instant,
): void {
  tx.send(sql`
    insert into sandbox_silence (merchant_id, chain, until)
    values (${merchantId}, ${chain}, ${until})
    on conflict (merchant_id, chain) do update set until = excluded.until`);
}
