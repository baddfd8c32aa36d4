// Placeholder walk until networks/walk-blocks.ts lands: contiguous blocks from the cursor to the tip.
import { Outage } from '#base/refusal.ts';
import type { Block, BlockReference, Position } from '#deposit/network.ts';

export async function walkBlocks(options: {
  readonly position: Position;
  readonly tip: BlockReference;
  readonly blockAt: (height: bigint) => Promise<Block>;
  readonly mostBlocks: number;
}): Promise<{
  readonly tip: BlockReference;
  readonly rollbackTo: BlockReference | undefined;
  readonly blocks: readonly Block[];
  readonly complete: boolean;
}> {
  const { position, tip, blockAt, mostBlocks } = options;
  if (position.cursor === undefined) {
    const block = await blockAt(tip.height);
    return { tip, rollbackTo: undefined, blocks: [block], complete: true };
  }
  let base = position.cursor;
  let rollbackTo: BlockReference | undefined;
  for (const known of [position.cursor, ...position.recent]) {
    if (known.height <= tip.height && (await blockAt(known.height)).hash === known.hash) {
      base = known;
      if (known.hash !== position.cursor.hash) rollbackTo = known;
      break;
    }
  }
  const blocks: Block[] = [];
  let parent = base;
  while (parent.height < tip.height && blocks.length < mostBlocks) {
    const block = await blockAt(parent.height + 1n);
    if (block.parentHash !== parent.hash) throw new Outage('chain', { cause: new Error('moved') });
    blocks.push(block);
    parent = block;
  }
  return { tip, rollbackTo, blocks, complete: parent.height === tip.height };
}
