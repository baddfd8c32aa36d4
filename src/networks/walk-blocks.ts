// From what is recorded to the tip of the node: back to the common ancestor, then up, in bounded
// steps. Guarantees: every block returned follows the one before it by hash, the first follows
// `rollbackTo` or the cursor, and nothing is undone because a node has merely fallen behind.
// Not guaranteed: that the node does not move meanwhile; what no longer fits is left for the next
// step.

import { Outage, Refusal } from '#base/refusal.ts';
import type { Block, BlockReference, Position } from '#deposit/network.ts';

type BlockWalk = {
  /** What the outage is called when the node contradicts itself. */
  readonly what?: string;
  readonly position: Pick<Position, 'cursor' | 'recent'>;
  readonly tip: () => Promise<BlockReference>;
  /** The block of the node's best chain at that height; undefined when it has none. */
  readonly blockAt: (height: bigint) => Promise<Block | undefined>;
  /** Cheaper than the whole block, where the node can say it. */
  readonly hashAt?: (height: bigint) => Promise<string | undefined>;
  /** Blocks in one step. */
  readonly mostBlocks: number;
};

type WalkedBlocks = {
  readonly tip: BlockReference;
  readonly rollbackTo: BlockReference | undefined;
  readonly blocks: readonly Block[];
  /** True when the last block is the tip. */
  readonly complete: boolean;
};

/** Where to walk back to when the very first tip is reorganised away. */
const BLOCKS_AT_FIRST = 12;

/**
 * @throws Outage when the node is behind what is recorded, or moves so fast that nothing was
 * learned.
 * @throws Refusal when no recorded block is in the node's chain any more: a person decides.
 */
export async function walkBlocks(walk: BlockWalk): Promise<WalkedBlocks> {
  const { position, mostBlocks } = walk;
  const { cursor } = position;
  const tip = await walk.tip();
  if (cursor === undefined) return startAt(walk, tip);
  if (tip.hash === cursor.hash) return { tip, rollbackTo: undefined, blocks: [], complete: true };

  let next = await blockAfter(walk, cursor, tip);
  let base = cursor;
  if (next?.parentHash !== cursor.hash) {
    base = await commonAncestor(walk, tip);
    if (base.hash === tip.hash) throw outage(walk, `the node is behind: its tip is ${tip.height}`);
    if (base.hash !== cursor.hash) next = await blockAfter(walk, base, tip);
  }
  const blocks: Block[] = [];
  let last = base;
  while (next !== undefined && next.parentHash === last.hash) {
    blocks.push(next);
    last = next;
    if (blocks.length >= mostBlocks) break;
    next = await blockAfter(walk, last, tip);
  }
  const rollbackTo = base.hash === cursor.hash ? undefined : base;
  // A step that learned nothing fails, so that it is not repeated at once.
  if (blocks.length === 0) throw outage(walk, 'the chain of the node moved while it was read');
  return { tip, rollbackTo, blocks, complete: last.hash === tip.hash };
}

function blockAfter(
  walk: BlockWalk,
  { height }: BlockReference,
  tip: BlockReference,
): Promise<Block | undefined> {
  return height < tip.height ? walk.blockAt(height + 1n) : Promise.resolve(undefined);
}

/** The highest recorded block that is in the node's chain. */
async function commonAncestor(walk: BlockWalk, tip: BlockReference): Promise<BlockReference> {
  const { cursor, recent } = walk.position;
  const hashAt = walk.hashAt ?? (async (height) => (await walk.blockAt(height))?.hash);
  const candidates = cursor === undefined ? recent : [cursor, ...recent];
  for (const candidate of candidates) {
    if (candidate.height > tip.height) continue;
    const hash = candidate.height === tip.height ? tip.hash : await hashAt(candidate.height);
    if (hash === candidate.hash) return candidate;
  }
  const what = walk.what ?? 'chain';
  const lowest = candidates.at(-1)?.height ?? 0n;
  const command = `npx quittance chain rewind ${what.replace(/^.*:/, '')} --to HEIGHT`;
  throw new Refusal('conflict', 'chain_of_another_history', [
    `${what}: the node's chain has none of the blocks that we keep, down to ${lowest}: it was ` +
      `reorganised deeper than that, or the node is a wrong one; to read it again: ${command}`,
  ]);
}

/** The last blocks up to the tip, emptied: what happened before the first start is none of ours. */
async function startAt(walk: BlockWalk, tip: BlockReference): Promise<WalkedBlocks> {
  const blocks: Block[] = [];
  let wanted = tip.hash;
  let { height } = tip;
  while (blocks.length < Math.min(BLOCKS_AT_FIRST, walk.mostBlocks) && height >= 0n) {
    const block = await walk.blockAt(height);
    if (block === undefined || block.hash !== wanted) break;
    blocks.unshift({ ...block, arrivals: [] });
    wanted = block.parentHash;
    height -= 1n;
  }
  if (blocks.length === 0) throw outage(walk, 'the chain of the node moved while it was read');
  return { tip, rollbackTo: undefined, blocks, complete: true };
}

function outage({ what = 'chain' }: BlockWalk, message: string): Outage {
  return new Outage(what, { cause: new Error(message) });
}
