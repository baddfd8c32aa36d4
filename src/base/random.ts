// Randomness is injected, so that tests repeat. Everything drawn here is unbiased: draws that do
// not fit the range are thrown away, never folded in with a remainder.
import { randomBytes } from 'node:crypto';
import { assert } from './assert.ts';

export interface Random {
  bytes(length: number): Uint8Array;
  /** The next of them: an identifier is made of some twenty, and each array costs. */
  byte?(): number;
}

const POOL_LENGTH = 4096;

/** The operating system's generator: the only one for keys, secrets and identifiers. */
export const systemRandom: Random = poolRandom((length) => new Uint8Array(randomBytes(length)));

/**
 * Draws 4 KiB at a time: asking the system costs more than the bytes (an identifier took 35 us).
 * What was handed out is wiped from the pool, so nothing in memory tells it again.
 */
export function poolRandom(draw: (length: number) => Uint8Array): Random {
  let pool = new Uint8Array(0);
  let used = 0;
  const fill = () => {
    pool = new Uint8Array(draw(POOL_LENGTH));
    used = 0;
  };
  return {
    byte() {
      if (used === pool.length) fill();
      const drawn = pool[used] ?? 0;
      pool[used] = 0;
      used += 1;
      return drawn;
    },
    bytes(length) {
      if (length > POOL_LENGTH) return draw(length);
      if (used + length > pool.length) fill();
      const bytes = pool.slice(used, used + length);
      pool.fill(0, used, used + length);
      used += length;
      return bytes;
    },
  };
}

/** Uniform in 0 ≤ n < below. */
export function randomBigint(random: Random, below: bigint): bigint {
  assert(below > 0n, `nothing lies below ${below}`);
  const bits = (below - 1n).toString(2).length;
  const length = Math.ceil(bits / 8);
  const excess = BigInt(length * 8 - bits);
  // Each draw fits with a chance of a half or more.
  for (;;) {
    const drawn = BigInt(`0x${random.bytes(length).toHex()}`) >> excess;
    if (drawn < below) return drawn;
  }
}

/** Uniform integer in 0 ≤ n < below; the same draws as `randomBigint`. */
export function randomInteger(random: Random, below: number): number {
  assert(Number.isSafeInteger(below), `not an integer: ${below}`);
  if (below < 1 || below > 256) return Number(randomBigint(random, BigInt(below)));
  // One byte is enough: identifiers are made of these.
  const excess = 8 - Math.max(1, 32 - Math.clz32(below - 1));
  for (;;) {
    const drawn = (random.byte?.() ?? random.bytes(1)[0] ?? 0) >> excess;
    if (drawn < below) return drawn;
  }
}

/** Uniform within a fifth to either side: not everybody tries again at the same moment. */
export function withJitter(ms: number, random: Random): number {
  const most = jitterMost(ms);
  return ms - most + randomInteger(random, 2 * most + 1);
}

/** So much later, or earlier, at most. */
export function jitterMost(ms: number): number {
  return Math.floor(ms / 5);
}
