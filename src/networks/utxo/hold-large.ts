import type { Block } from '#deposit/network.ts';

const WEEK_BLOCKS = 1008;

/**
 * Nobody confirms what a single server says, so large payments need a week's blocks, which are
 * expensive to forge.
 */
export function holdLarge(block: Block, mostUnits: bigint): Block {
  const arrivals = block.arrivals.map((arrival) =>
    arrival.units > mostUnits ? { ...arrival, leastConfirmations: WEEK_BLOCKS } : arrival,
  );
  return { ...block, arrivals };
}
