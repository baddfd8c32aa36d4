// How much can be received in one payment, from what each channel can receive. Answers from memory
// while that is fresh, so that offers wait for the node at most once in a while.

import type { Clock } from '#base/clock.ts';

const FRESH_MS = 5_000;
/** Older than fresh: told once more while the node is asked again. */
const USABLE_MS = 60_000;

/** @throws Outage what `list` throws, when nothing usable is remembered. */
export function receivableMost(
  list: () => Promise<readonly bigint[]>,
  clock: Clock,
): () => Promise<bigint> {
  let known: { readonly units: bigint; readonly atMs: number } | undefined;
  let asking: Promise<bigint> | undefined;

  function ask(): Promise<bigint> {
    asking ??= list()
      .then((channels) => {
        const units = usableOf(channels);
        known = { units, atMs: clock.monotonicMs() };
        return units;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  return async () => {
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - known.atMs;
    if (known === undefined || ageMs > USABLE_MS) return ask();
    // A failure shows at the latest when nothing usable is remembered any more.
    if (ageMs > FRESH_MS) ask().catch(() => undefined);
    return known.units;
  };
}

/**
 * The largest channel, or half of all together: a payer who splits a payment cannot know what each
 * channel can take, so not all of it can be counted on (Electrum estimates the same way).
 */
export function usableOf(channels: readonly bigint[]): bigint {
  const largest = channels.reduce((most, units) => (units > most ? units : most), 0n);
  const half = channels.reduce((sum, units) => sum + units, 0n) / 2n;
  return largest > half ? largest : half;
}
