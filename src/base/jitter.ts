// What is tried again is not tried by everybody at the same moment.
import { type Random, randomInteger } from './random.ts';

/** Uniform within a fifth to either side. */
export function withJitter(ms: number, random: Random): number {
  const most = jitterMost(ms);
  return ms - most + randomInteger(random, 2 * most + 1);
}

/** So much later, or earlier, at most. */
export function jitterMost(ms: number): number {
  return Math.floor(ms / 5);
}
