// Time that tests own: it stands still until it is told to go on.
import { assert } from '#base/assert.ts';
import { type Clock, SLEEP_MS_MAX } from '#base/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time forwards (milliseconds or a duration) and wakes the sleepers in order of time. */
  advance(by: number | Temporal.Duration): Promise<void>;
  /** How many sleeps are under way: lets a test wait until a loop has gone to sleep. */
  sleepers(): number;
}

type Sleeper = { readonly wakesAtMs: number; readonly wake: () => void };

/** Stands still except for `advance`. */
export function manualClock(start: Temporal.Instant | string): ManualClock {
  const origin = Temporal.Instant.from(start);
  const sleepers = new Set<Sleeper>();
  let elapsedMs = 0;

  return {
    now: () => origin.add({ milliseconds: elapsedMs }),
    monotonicMs: () => elapsedMs,
    sleepers: () => sleepers.size,
    async sleep(ms, signal) {
      assert(ms >= 0 && ms <= SLEEP_MS_MAX, `cannot sleep ${ms} ms`);
      signal?.throwIfAborted();
      if (ms === 0) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { wakesAtMs: elapsedMs + Math.ceil(ms), wake: resolve };
      const abort = () => reject(signal?.reason);
      sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await promise;
      } finally {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      }
    },
    async advance(by) {
      const ms = typeof by === 'number' ? by : by.total('milliseconds');
      assert(Number.isInteger(ms) && ms >= 0, `cannot advance by ${ms} ms`);
      const endMs = elapsedMs + ms;
      // Whoever is about to sleep gets to do so before time moves.
      await settle();
      for (;;) {
        const next = earliest(sleepers);
        if (next === undefined || next.wakesAtMs > endMs) break;
        elapsedMs = next.wakesAtMs;
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      elapsedMs = endMs;
      await settle();
    },
  };
}

function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) {
    if (first === undefined || sleeper.wakesAtMs < first.wakesAtMs) first = sleeper;
  }
  return first;
}

/** Lets whoever was woken run until it waits again, so that one advance spans several sleeps. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
