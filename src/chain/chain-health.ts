// The chain-health brake (B2): an attacker who builds a secret branch takes hash power away from
// the public one, which is seen as slow blocks hours before the reorganisation.

import { type ChainId, environmentOf } from '#catalog/chain.ts';

/** Intervals that are averaged, and how many times the target they may take. */
export const BRAKE_INTERVALS = 6;
const SLOW_FACTOR = 3;
/** What the required depth is multiplied with while the brake is on. */
export const BRAKE_FACTOR = 2;

/**
 * Why finality is held back, or undefined. `minedAt`: times of the last blocks, lowest first. Only
 * live chains are braked: a test chain that stands still is nothing unusual.
 */
export function brakeReason(
  chain: ChainId,
  minedAt: readonly Temporal.Instant[],
  targetBlockSeconds: number | undefined,
): string | undefined {
  if (environmentOf(chain) !== 'live' || targetBlockSeconds === undefined) return undefined;
  const last = minedAt.slice(-(BRAKE_INTERVALS + 1));
  const [first, end] = [last[0], last.at(-1)];
  if (last.length <= BRAKE_INTERVALS || first === undefined || end === undefined) return undefined;
  const took = first.until(end);
  const mostSeconds = SLOW_FACTOR * targetBlockSeconds * BRAKE_INTERVALS;
  if (Temporal.Duration.compare(took, { seconds: mostSeconds }) <= 0) return undefined;
  const usual = `${targetBlockSeconds} s each`;
  return `the last ${BRAKE_INTERVALS} blocks took ${took.total('seconds')} s instead of ${usual}`;
}
