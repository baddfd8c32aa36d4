// How often something may be done: token buckets in the memory of this process, full after a minute
// (or an hour) of silence; what that is worth may be used at once. Guarantees: bounded memory; what
// is refused takes nothing, so whoever waits as told gets through. Not guaranteed: a sum over
// several processes.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';

/** How many may be taken at once, and after how many seconds it is one more. */
type Standing = { readonly remaining: number; readonly moreInSeconds: number };

type TokenBuckets = {
  /** What is left; undefined: there is no limit. @throws Refusal too-many `rate_limited`. */
  take(id: string): Standing | undefined;
  /** Takes so many, down to none, and refuses nothing. */
  drain(id: string, tokens: number): void;
};

type Bucket = { tokens: number; filledAtMs: number };

const WINDOW_MS = { minute: 60_000, hour: 3_600_000 };
const IN_WORDS = { minute: 'a minute', hour: 'an hour' };
const BUCKETS_MAX = 50_000;

/** `most` 0 is no limit; `whose` ends the sentence of a refusal. */
export function createTokenBuckets(
  clock: Clock,
  most: number,
  whose: string,
  window: keyof typeof WINDOW_MS = 'minute',
): TokenBuckets {
  const windowMs = WINDOW_MS[window];
  // In order of last use: the longest unused leave first.
  const buckets = new Map<string, Bucket>();

  function fill(id: string): Bucket {
    const nowMs = clock.monotonicMs();
    const { tokens, filledAtMs } = buckets.get(id) ?? { tokens: most, filledAtMs: nowMs };
    const gained = ((nowMs - filledAtMs) * most) / windowMs;
    const bucket = { tokens: Math.min(most, tokens + gained), filledAtMs: nowMs };
    buckets.delete(id);
    buckets.set(id, bucket);
    for (const [old, { filledAtMs: usedAtMs }] of buckets) {
      if (nowMs - usedAtMs < windowMs && buckets.size <= BUCKETS_MAX) break;
      buckets.delete(old);
    }
    return bucket;
  }

  const secondsFor = (tokens: number) => Math.max(1, Math.ceil((tokens * windowMs) / most / 1000));

  return {
    take(id) {
      if (most === 0) return undefined;
      const bucket = fill(id);
      if (bucket.tokens < 1) {
        const retryAfterSeconds = secondsFor(1 - bucket.tokens);
        const message = `more than ${most} requests in ${IN_WORDS[window]} ${whose}`;
        throw new Refusal('too-many', 'rate_limited', message, { retryAfterSeconds });
      }
      bucket.tokens -= 1;
      const remaining = Math.floor(bucket.tokens);
      return { remaining, moreInSeconds: secondsFor(remaining + 1 - bucket.tokens) };
    },
    drain(id, tokens) {
      if (most === 0) return;
      const bucket = fill(id);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
    },
  };
}
