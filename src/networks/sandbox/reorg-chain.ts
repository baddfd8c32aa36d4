import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql, type Tx } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import { newHash, type SandboxApp } from './pay-sandbox.ts';
import { addBlock, beginFork, lockSandboxChain, SANDBOX_BLOCK } from './sandbox-block.ts';
import {
  findTransaction,
  insertTransaction,
  listTransactionsAbove,
  type SandboxTransaction,
  type StoredTransaction,
  setState,
} from './sandbox-transaction.ts';

/**
 * What becomes of the transactions of the blocks undone: mined again in the new branch, waiting in
 * the mempool, forgotten by everybody, or spent by somebody else in the new branch.
 */
export type ReorgMode = 'remine' | 'return' | 'drop' | 'double-spend';

type Reorganisation = {
  readonly chain: ChainId;
  readonly depth: number;
  /** 'return' when absent. */
  readonly transactions?: ReorgMode;
  /** Length of the new branch; one longer than the old when absent. */
  readonly newBlocks?: number;
  /** The lowest block that a watcher remembers: a branch from below it would be another chain. */
  readonly lowestKept?: bigint | undefined;
};

/**
 * Undoes the last `depth` blocks with everybody's payments in them (for one merchant alone:
 * own-blocks.ts); a longer branch takes their place. Answers the new tip.
 */
export function reorgChain(app: SandboxApp, request: Reorganisation): Promise<BlockReference> {
  const { chain, depth, transactions: mode = 'return', newBlocks = depth + 1 } = request;
  const { lowestKept = 0n } = request;
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, now);
    const ancestorHeight = tip.height - BigInt(depth);
    if (depth < 1 || newBlocks < 1 || ancestorHeight < lowestKept) {
      throw new Refusal('invalid', 'depth_invalid', 'depth: 1 to the number of blocks there are');
    }
    const undone = await listTransactionsAbove(tx, chain, ancestorHeight);
    beginFork(tx, chain, ancestorHeight);
    const include = settleUndone(app, tx, chain, undone, mode);
    const ancestor = await SANDBOX_BLOCK.find(
      tx,
      sql`where chain = ${chain} and height = ${ancestorHeight}`,
    );
    assert(ancestor !== undefined, `${chain} has no block ${ancestorHeight}`);
    let parent: BlockReference = ancestor;
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
    case 'double-spend':
      return spendElsewhere(app, tx, chain, undone);
  }
}

/** The transactions that take their place, in the mempool. */
export function spendElsewhere(
  app: SandboxApp,
  tx: Tx,
  chain: ChainId,
  undone: readonly StoredTransaction[],
): string[] {
  const ids = undone.map(({ transaction }) => transaction);
  setState(tx, chain, ids, 'REPLACED');
  return undone.map(({ spends, outputs, merchantId }) => {
    const rival = {
      transaction: newHash(app.random),
      spends,
      outputs: outputs.map((output) => ({
        ...output,
        destination: `elsewhere-${newHash(app.random)}`,
      })),
    };
    const about = { now: app.clock.now(), mineAfter: undefined };
    insertTransaction(tx, chain, rival, { ...about, merchantId });
    return rival.transaction;
  });
}

type Replacement = {
  readonly chain: ChainId;
  readonly transaction: string;
  /** Pays the same destination this much instead; absent: a double spend for somebody else. */
  readonly units?: bigint;
  readonly heldUntil?: Temporal.Instant;
};

/** Another unconfirmed transaction that spends the same money takes its place (BIP-125). */
export async function replaceTransaction(
  app: SandboxApp,
  { chain, transaction, units, heldUntil }: Replacement,
): Promise<SandboxTransaction> {
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, now);
    const original = await findTransaction(tx, chain, transaction);
    if (original?.state !== 'MEMPOOL') {
      throw new Refusal('conflict', 'transaction_not_replaceable', [
        'transaction: only an unconfirmed one can be replaced',
      ]);
    }
    const replacement: SandboxTransaction = {
      transaction: newHash(app.random),
      spends: original.spends,
      outputs: original.outputs.map((output) =>
        units === undefined
          ? { ...output, destination: `elsewhere-${newHash(app.random)}` }
          : { ...output, units },
      ),
    };
    setState(tx, chain, [transaction], 'REPLACED');
    insertTransaction(tx, chain, replacement, {
      now,
      mineAfter: heldUntil,
      merchantId: original.merchantId,
    });
    return replacement;
  });
}
