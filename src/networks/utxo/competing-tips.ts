// Whether another branch is about as long as the one the node follows (B2). A single block beside
// the last ones is nothing unusual; two on top of each other are a miner, or many, on another
// branch.

import type { BrakeCause } from '#deposit/network.ts';
import { isFields, requireList } from '#networks/answer-fields.ts';
import { requireCount } from './json-rpc.ts';

const LEAST_BRANCH_BLOCKS = 2;
/** A branch that is further behind has lost. */
const MOST_BLOCKS_BEHIND = 3;

/** `tips`: getchaintips. @throws NodeLie */
export function competingTips(tips: unknown, tipHeight: bigint): BrakeCause[] {
  const causes: BrakeCause[] = [];
  for (const tip of requireList(tips, 'the tips of the chain')) {
    if (!isFields(tip) || tip.status === 'active' || tip.status === 'invalid') continue;
    const height = requireCount(tip.height, 'the height of a branch');
    const length = requireCount(tip.branchlen, 'the length of a branch');
    if (length < LEAST_BRANCH_BLOCKS || height < tipHeight - BigInt(MOST_BLOCKS_BEHIND)) continue;
    const reason = `another branch of ${length} blocks ends at ${height}, ours at ${tipHeight}`;
    causes.push({ kind: 'competing-branch', what: `${height}`, degree: Number(length), reason });
  }
  return causes;
}
