// Blocks of the simulated chains, on schedule. Called in a loop, or by hand in a simulation: time
// is the clock's. Any number of processes may call it: a block that is due is made once.

import type { ChainId } from '#catalog/chain.ts';
import { type MakeBlocksApp, mineBlocks } from './mine-blocks.ts';
import { findSandboxChain, type SandboxChain } from './sandbox-chain.ts';
import {
  addBlock,
  listDueChains,
  listWokenChains,
  lockSandboxChain,
  setNextBlockAt,
} from './sandbox-store.ts';

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
    if (frozenUntil !== null && Temporal.Instant.compare(now, frozenUntil) < 0) return false;
    if (Temporal.Instant.compare(now, nextBlockAt) < 0) return false;
    addBlock(tx, chain, { parent: tip, fork, minedAt: now, takesReady: true });
    const isLate =
      now.epochMilliseconds - nextBlockAt.epochMilliseconds > CATCH_UP_BLOCKS * blockSeconds * 1000;
    setNextBlockAt(tx, chain, (isLate ? now : nextBlockAt).add({ seconds: blockSeconds }));
    return true;
  });
}
