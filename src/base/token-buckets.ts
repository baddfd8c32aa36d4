// How often something may be done: token buckets in the memory of this process, full after a minute
// of silence (a minute's worth may be used at once). Guarantees: bounded memory; what is refused
// takes nothing, so whoever waits as told gets through. Not guaranteed: a sum over several
// processes.
import type { Clock } from './clock.ts';
import { Refusal } from './refusal.ts';

type TokenBuckets = {
  /** @throws Refusal too-many `rate_limited`. */
  take(id: string): void;
  /** Takes so many, down to none, and refuses nothing. */
  drain(id: string, tokens: number): void;
};

type Bucket = { tokens: number; filledAtMs: number };

const MINUTE_MS = 60_000;
const BUCKETS_MAX = 50_000;

/** `perMinute` 0 is no limit; `whose` ends the sentence of a refusal. */
export function createTokenBuckets(clock: Clock, perMinute: number, whose: string): TokenBuckets {
  // In order of last use: the longest unused leave first.
  const buckets = new Map<string, Bucket>();

  function fill(id: string): Bucket {
    const nowMs = clock.monotonicMs();
    const { tokens, filledAtMs } = buckets.get(id) ?? { tokens: perMinute, filledAtMs: nowMs };
    const gained = ((nowMs - filledAtMs) * perMinute) / MINUTE_MS;
    const bucket = { tokens: Math.min(perMinute, tokens + gained), filledAtMs: nowMs };
    buckets.delete(id);
    buckets.set(id, bucket);
    for (const [old, { filledAtMs: usedAtMs }] of buckets) {
      if (nowMs - usedAtMs < MINUTE_MS && buckets.size <= BUCKETS_MAX) break;
      buckets.delete(old);
    }
    return bucket;
  }

  return {
    take(id) {
      if (perMinute === 0) return;
      const bucket = fill(id);
      if (bucket.tokens < 1) {
        const waitMs = ((1 - bucket.tokens) * MINUTE_MS) / perMinute;
        const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
        const message = `more than ${perMinute} requests in a minute ${whose}`;
        throw new Refusal('too-many', 'rate_limited', message, { retryAfterSeconds });
      }
      bucket.tokens -= 1;
    },
    drain(id, tokens) {
      if (perMinute === 0) return;
      const bucket = fill(id);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
    },
  };
}
