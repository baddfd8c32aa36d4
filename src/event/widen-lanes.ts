// How many deliveries of a lane may be under way at one time: more with each answer that comes, as
// a sender of packets widens its window, and few again after one that fails. So a receiver that is
// slow and well is served in parallel, and one that is dead occupies two places. What is remembered
// is of this process alone and bounded; whoever starts anew learns it within seconds.

import { assert } from '#base/assert.ts';
import type { LaneRoom } from './claim-deliveries.ts';

/** Of lanes, those that were answered last. */
const REMEMBERED_MOST = 1_000;

type LaneWidths = {
  note(lane: string, outcome: 'answered' | 'failed' | 'none'): void;
  /** Those with more room than a lane that nothing is known of. */
  list(): readonly LaneRoom[];
};

export function widenLanes({
  least,
  most,
}: {
  readonly least: number;
  readonly most: number;
}): LaneWidths {
  assert(1 <= least && least <= most, `a lane cannot have room for ${least} to ${most}`);
  /** The lane that was answered longest ago stands first. */
  const widths = new Map<string, number>();
  return {
    note(lane, outcome) {
      if (outcome === 'none') return;
      const width = widths.get(lane) ?? least;
      widths.delete(lane);
      if (outcome === 'failed') return;
      widths.set(lane, Math.min(most, width + 1));
      const [oldest] = widths.keys();
      if (widths.size > REMEMBERED_MOST && oldest !== undefined) widths.delete(oldest);
    },
    list: () => [...widths].flatMap(([lane, room]) => (room > least ? [{ lane, most: room }] : [])),
  };
}
