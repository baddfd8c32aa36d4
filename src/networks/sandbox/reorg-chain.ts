import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Tx } from '#db/db.ts';
import { findOwned } from '#deposit/find-watched.ts';
import type { BlockReference } from '#deposit/network.ts';
import { newHash, type SandboxApp } from './pay-sandbox.ts';
import {
  addBlock,
  deleteSandboxBlocksAbove,
  getSandboxBlock,
  insertTransaction,
  listTransactionsAbove,
  lockSandboxChain,
  raiseFork,
  type StoredTransaction,
  setState,
} from './sandbox-store.ts';

/**
 * What becomes of the transactions of the blocks undone: mined again in the new branch, waiting in
 * the mempool, forgotten by everybody, or spent by somebody else in the new branch.
 */
export type ReorgMode = 'remine' | 'return' | 'drop' | 'double-spend';

export type Reorganisation = {
  readonly chain: ChainId;
  readonly depth: number;
  /** 'return' when absent. */
  readonly transactions?: ReorgMode;
  /** Length of the new branch; one longer than the old when absent. */
  readonly newBlocks?: number;
  /**
   * Whose payments it happens to; those of others are mined again in the first block of the new
   * branch. Everybody's when absent.
   */
  readonly owner?: { readonly merchantId: string; readonly purposeId?: string | undefined };
};

/** Undoes the last `depth` blocks; a longer branch takes their place. Answers the new tip. */
export function reorgChain(app: SandboxApp, request: Reorganisation): Promise<BlockReference> {
  const { chain, depth, transactions: mode = 'return', newBlocks = depth + 1 } = request;
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, now);
    const ancestorHeight = tip.height - BigInt(depth);
    if (depth < 1 || newBlocks < 1 || ancestorHeight < 0n) {
      throw new Refusal('invalid', 'depth_invalid', 'depth: 1 to the number of blocks there are');
    }
    const undone = await listTransactionsAbove(tx, chain, ancestorHeight);
    deleteSandboxBlocksAbove(tx, chain, ancestorHeight);
    raiseFork(tx, chain);
    const { own, others } = await shareUndone(tx, request, undone);
    const include = [
      ...settleUndone(app, tx, chain, own, mode),
      ...settleUndone(app, tx, chain, others, 'remine'),
    ];
    let parent = await getSandboxBlock(tx, chain, ancestorHeight);
    for (let made = 0; made < newBlocks; made += 1) {
      const named = made === 0 ? include : [];
      parent = addBlock(tx, chain, {
        parent,
        fork: fork + 1,
        minedAt: now,
        takesReady: false,
        named,
      });
    }
    return parent;
  });
}

/** Nobody else's payment is undone by what one merchant plays. */
async function shareUndone(
  tx: Tx,
  { chain, owner }: Reorganisation,
  undone: readonly StoredTransaction[],
): Promise<{ readonly own: StoredTransaction[]; readonly others: StoredTransaction[] }> {
  if (owner === undefined) return { own: [...undone], others: [] };
  const destinations = undone.flatMap(({ outputs }) => outputs.map((one) => one.destination));
  const owned = await findOwned(tx, chain, destinations, owner);
  const isOwn = ({ outputs }: StoredTransaction) =>
    outputs.every(({ destination }) => owned.has(destination));
  return { own: undone.filter(isOwn), others: undone.filter((one) => !isOwn(one)) };
}

/** The transactions that the first block of the new branch holds. */
function settleUndone(
  app: SandboxApp,
  tx: Tx,
  chain: ChainId,
  undone: readonly StoredTransaction[],
  mode: ReorgMode,
): string[] {
  const ids = undone.map(({ transaction }) => transaction);
  switch (mode) {
    case 'remine':
      setState(tx, chain, ids, 'MEMPOOL');
      return ids;
    case 'return':
      setState(tx, chain, ids, 'MEMPOOL');
      return [];
    case 'drop':
      setState(tx, chain, ids, 'DROPPED');
      return [];
    case 'double-spend': {
      setState(tx, chain, ids, 'REPLACED');
      const rivals = undone.map(({ spends, outputs }) => ({
        transaction: newHash(app.random),
        spends,
        outputs: outputs.map((output) => ({
          ...output,
          destination: `elsewhere-${newHash(app.random)}`,
        })),
      }));
      const times = { now: app.clock.now(), mineAfter: undefined };
      for (const rival of rivals) insertTransaction(tx, chain, rival, times);
      return rivals.map(({ transaction }) => transaction);
    }
  }
}
