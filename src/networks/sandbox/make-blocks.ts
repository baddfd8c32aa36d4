// Blocks of the simulated chains, on schedule. Called in a loop, or by hand in a simulation: time
// is the clock's. Any number of processes may call it: a block that is due is made once.

import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import {
  addBlock,
  addEmptyBlocks,
  findSandboxChain,
  isFrozen,
  lockSandboxChain,
  type SandboxChain,
} from './sandbox-block.ts';
import { SANDBOX_SILENCE } from './sandbox-transaction.ts';

/** A chain that nobody drove for longer goes on from now, instead of making up for it. */
const CATCH_UP_BLOCKS = 20;

/**
 * At most one block on each chain; how many were made. Where a payment is a block of its own, one
 * is due when a merchant's silence ends.
 */
export async function makeSandboxBlocks(
  app: MakeBlocksApp,
  chains: readonly ChainId[],
): Promise<number> {
  const isScheduled = (chain: ChainId) => findSandboxChain(chain)?.blockSeconds !== undefined;
  const instant = chains.filter((chain) => !isScheduled(chain));
  const now = app.clock.now();
  const [due, woken] = await Promise.all([
    listDueChains(app.db, chains.filter(isScheduled), now),
    listWokenChains(app.db, instant, now),
  ]);
  let made = 0;
  for (const chain of woken) {
    await mineBlocks(app, chain, 1);
    made += 1;
  }
  for (const chain of due) {
    const sandbox = findSandboxChain(chain);
    if (sandbox !== undefined && (await makeDueBlock(app, sandbox))) made += 1;
  }
  return made;
}

function makeDueBlock(app: MakeBlocksApp, { chain, blockSeconds = 0 }: SandboxChain) {
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const { tip, fork, frozenUntil, nextBlockAt } = await lockSandboxChain(tx, chain, now);
    if (isFrozen(frozenUntil, now)) return false;
    if (Temporal.Instant.compare(now, nextBlockAt) < 0) return false;
    addBlock(tx, chain, { parent: tip, fork, minedAt: now, takesReady: true });
    const isLate =
      now.epochMilliseconds - nextBlockAt.epochMilliseconds > CATCH_UP_BLOCKS * blockSeconds * 1000;
    const at = (isLate ? now : nextBlockAt).add({ seconds: blockSeconds });
    tx.send(sql`update sandbox_chain set next_block_at = ${at} where chain = ${chain}`);
    return true;
  });
}

async function listDueChains(
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

/** Chains of these on which payments wait that were silent, and are not any more. */
async function listWokenChains(
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

export type MakeBlocksApp = { readonly db: Db; readonly clock: Clock };

/**
 * Makes blocks now, also on a chain whose node is down. The first takes everything in the mempool
 * that is not held back, and `include`, held back or not.
 */
export function mineBlocks(
  app: MakeBlocksApp,
  chain: ChainId,
  count: number,
  include: readonly string[] = [],
): Promise<BlockReference> {
  const minedAt = app.clock.now();
  return app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, minedAt);
    const first = { parent: tip, fork, minedAt, takesReady: true, named: include };
    const parent = addBlock(tx, chain, first);
    return addEmptyBlocks(tx, chain, { parent, fork, minedAt, count: count - 1 });
  });
}

/** The node is down until then: it does not answer, and no block comes by itself. */
export function freezeChain(
  app: MakeBlocksApp,
  chain: ChainId,
  until: Temporal.Instant,
): Promise<void> {
  return setFrozen(app, chain, until);
}

export function thawChain(app: MakeBlocksApp, chain: ChainId): Promise<void> {
  return setFrozen(app, chain, undefined);
}

function setFrozen(
  app: MakeBlocksApp,
  chain: ChainId,
  until: Temporal.Instant | undefined,
): Promise<void> {
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, app.clock.now());
    const frozenUntil = until ?? null;
    tx.send(sql`update sandbox_chain set frozen_until = ${frozenUntil} where chain = ${chain}`);
  });
}

type ChainForMerchant = {
  readonly chain: ChainId;
  /** Zero before its first block. */
  readonly height: bigint;
  /** Of the network, or for this merchant alone; what is later counts. */
  readonly silentUntil: Temporal.Instant | null;
};

export function listChainsFor(
  reader: Reader,
  chains: readonly ChainId[],
  merchantId: string,
): Promise<ChainForMerchant[]> {
  return reader.query(sql`
    select wanted.chain, greatest(c.frozen_until, s.until) as "silentUntil",
      coalesce((select b.height from sandbox_block b where b.chain = wanted.chain
        order by b.height desc limit 1), 0)::bigint as height
    from unnest(${chains}::text[]) as wanted(chain)
    left join sandbox_chain c on c.chain = wanted.chain
    left join sandbox_silence s on s.chain = wanted.chain and s.merchant_id = ${merchantId}
    order by wanted.chain`);
}

/**
 * For one merchant the node is down until then: what he is paid and is not mined yet is neither
 * seen nor mined before. Everybody else hears it.
 */
export function silenceChain(
  app: MakeBlocksApp,
  chain: ChainId,
  merchantId: string,
  until: Temporal.Instant,
): Promise<void> {
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, app.clock.now());
    const known = sql`on conflict (merchant_id, chain) do update set until = excluded.until`;
    tx.send(SANDBOX_SILENCE.insert([{ merchantId, chain, until }], known));
  });
}
