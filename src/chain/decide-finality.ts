// Whether a payment that stands in a block is final: deep enough for its value, and not held by the
// brake of its chain (chain-policy.ts). While that is on, depth counts half and a large payment is
// held whatever its depth, because who rewrites a chain does it for one of those. What somebody let
// go (decide-release.ts) is no longer held, and needs the double depth all the same. Where payments
// are settled as soon as they are reported (banks, Lightning) depth says nothing, and the hold is
// all that the brake does.

import { BRAKE_FACTOR } from './chain-policy.ts';

type FinalityFacts = {
  /** Blocks that hold or bury it. */
  readonly confirmations: bigint;
  /** For its value, while the brake is off. */
  readonly required: number;
  readonly isBraked: boolean;
  /** Together with what the same merchant received around it (chain-policy.ts). */
  readonly isLarge: boolean;
  /** Somebody let it go, for what is wrong now and no worse. */
  readonly isReleased: boolean;
};

/** `held`: deep enough, were it not for the brake. */
export type Finality = 'waiting' | 'held' | 'final';

export function decideFinality(facts: FinalityFacts): Finality {
  const { confirmations, required, isBraked, isLarge, isReleased } = facts;
  if (confirmations < BigInt(required)) return 'waiting';
  if (!isBraked) return 'final';
  if (isLarge && !isReleased) return 'held';
  return confirmations < BigInt(BRAKE_FACTOR * required) ? 'waiting' : 'final';
}
