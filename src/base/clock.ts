// Time is injected, so that tests own it. Wall time says when something happened, monotonic time
// how long something took: only the second never runs backwards.
import { setTimeout as timeout } from 'node:timers/promises';
import { assert } from './assert.ts';

export interface Clock {
  /** Wall time, to the millisecond: what PostgreSQL and JSON give back unchanged. */
  now(): Temporal.Instant;
  monotonicMs(): number;
  /**
   * Resolves after `ms` milliseconds, at most an hour (a longer plan belongs in the database).
   * Rejects with the signal's reason when aborted.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface ManualClock extends Clock {
  /** Moves time forwards (milliseconds or a duration) and wakes the sleepers in order of time. */
  advance(by: number | Temporal.Duration): Promise<void>;
  /** How many sleeps are under way: lets a test wait until a loop has gone to sleep. */
  sleepers(): number;
}

const SLEEP_MS_MAX = 3_600_000;

export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Temporal.Now.instant().epochMilliseconds),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    assertSleep(ms);
    signal?.throwIfAborted();
    try {
      await timeout(ms, undefined, { signal });
    } catch (error) {
      // node:timers wraps the reason in its own AbortError; callers compare the reason itself.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

type Sleeper = { readonly wakesAtMs: number; readonly wake: () => void };

/** Stands still except for `advance`. For tests and for the sandbox's time travel. */
export function manualClock(start: Temporal.Instant | string): ManualClock {
  const origin = Temporal.Instant.from(start);
  const sleepers = new Set<Sleeper>();
  let elapsedMs = 0;

  return {
    now: () => origin.add({ milliseconds: elapsedMs }),
    monotonicMs: () => elapsedMs,
    sleepers: () => sleepers.size,
    async sleep(ms, signal) {
      assertSleep(ms);
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

function assertSleep(ms: number): void {
  assert(ms >= 0 && ms <= SLEEP_MS_MAX, `cannot sleep ${ms} ms: 0 ms to an hour`);
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
