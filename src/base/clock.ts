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

export const SLEEP_MS_MAX = 3_600_000;

export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
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

function assertSleep(ms: number): void {
  assert(ms >= 0 && ms <= SLEEP_MS_MAX, `cannot sleep ${ms} ms: 0 ms to an hour`);
}
