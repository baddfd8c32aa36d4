// Randomness that repeats.
import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { type Random, randomInteger } from '#base/random.ts';

/** SHA-256 in counter mode over the seed: the same seed gives the same bytes. */
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

export function pick<Item>(random: Random, list: readonly Item[]): Item {
  assert(list.length > 0, 'cannot pick from an empty list');
  return list[randomInteger(random, list.length)] as Item;
}
