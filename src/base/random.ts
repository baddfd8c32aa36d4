// Randomness is injected, so that tests repeat. Everything drawn here is unbiased: draws that do
// not fit the range are thrown away, never folded in with a remainder.
import { createHash, randomBytes } from 'node:crypto';
import { assert } from './assert.ts';

export interface Random {
  bytes(length: number): Uint8Array;
}

/** The operating system's generator: the only one for keys, secrets and identifiers. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/** SHA-256 in counter mode over the seed: the same seed gives the same bytes. Tests only. */
export function seededRandom(seed: bigint | number): Random {
  let counter = 0n;
  let pool = new Uint8Array(0);
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        if (pool.length === 0) {
          pool = new Uint8Array(createHash('sha256').update(`${seed}/${counter}`).digest());
          counter += 1n;
        }
        const part = pool.subarray(0, length - filled);
        bytes.set(part, filled);
        filled += part.length;
        pool = pool.subarray(part.length);
      }
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

/** Uniform integer in 0 ≤ n < below. */
export function randomInteger(random: Random, below: number): number {
  assert(Number.isSafeInteger(below), `not an integer: ${below}`);
  return Number(randomBigint(random, BigInt(below)));
}

export function pick<Item>(random: Random, list: readonly Item[]): Item {
  assert(list.length > 0, 'cannot pick from an empty list');
  return list[randomInteger(random, list.length)] as Item;
}
