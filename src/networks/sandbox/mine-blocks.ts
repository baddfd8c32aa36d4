import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import { addBlock, lockSandboxChain } from './sandbox-block.ts';

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
    let parent = tip;
    for (let made = 0; made < count; made += 1) {
      const named = made === 0 ? include : [];
      parent = addBlock(tx, chain, { parent, fork, minedAt, takesReady: true, named });
    }
    return parent;
  });
}
