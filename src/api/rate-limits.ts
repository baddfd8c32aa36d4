// How often one key and one address may call: token buckets in the memory of this process, full
// after a minute of silence (a client may use a minute's worth at once). Guarantees: bounded
// memory; a refused call takes nothing, so a client that waits as told gets through; failed
// authentications empty the bucket of their address faster and never that of the key they name, so
// nobody can lock out a key (E12). Not guaranteed: a sum over several processes.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { parseAllowedRange } from '#merchant/ip-allow-list.ts';

/** Calls in a minute; 0 is no limit. */
export type RateLimitSettings = { readonly perKey: number; readonly perAddress: number };

export type RateLimits = {
  /** @throws Refusal too-many `rate_limited`. */
  takeAddress(address: string): void;
  /** @throws Refusal too-many `rate_limited`. */
  takeKey(apiKey: string): void;
  /** A failed authentication weighs as much as ten calls. */
  noteFailure(address: string): void;
};

type Bucket = { tokens: number; filledAtMs: number };

const minuteMs = 60_000;
const failureTokens = 9;
const bucketsMax = 50_000;

export function createRateLimits(clock: Clock, settings: RateLimitSettings): RateLimits {
  const addresses = createBuckets(clock, settings.perAddress, 'from this address');
  const keys = createBuckets(clock, settings.perKey, 'with this key');
  return {
    takeAddress: (address) => addresses.take(networkOf(address)),
    takeKey: (apiKey) => keys.take(apiKey),
    noteFailure: (address) => addresses.drain(networkOf(address), failureTokens),
  };
}

function createBuckets(clock: Clock, perMinute: number, whose: string) {
  // In order of last use: the longest unused leave first.
  const buckets = new Map<string, Bucket>();

  function fill(id: string): Bucket {
    const nowMs = clock.monotonicMs();
    const { tokens, filledAtMs } = buckets.get(id) ?? { tokens: perMinute, filledAtMs: nowMs };
    const gained = ((nowMs - filledAtMs) * perMinute) / minuteMs;
    const bucket = { tokens: Math.min(perMinute, tokens + gained), filledAtMs: nowMs };
    buckets.delete(id);
    buckets.set(id, bucket);
    for (const [old, { filledAtMs: usedAtMs }] of buckets) {
      if (nowMs - usedAtMs < minuteMs && buckets.size <= bucketsMax) break;
      buckets.delete(old);
    }
    return bucket;
  }

  return {
    take(id: string): void {
      if (perMinute === 0) return;
      const bucket = fill(id);
      if (bucket.tokens < 1) {
        const waitMs = ((1 - bucket.tokens) * minuteMs) / perMinute;
        const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
        const message = `more than ${perMinute} requests in a minute ${whose}`;
        throw new Refusal('too-many', 'rate_limited', message, { retryAfterSeconds });
      }
      bucket.tokens -= 1;
    },
    drain(id: string, tokens: number): void {
      if (perMinute === 0) return;
      const bucket = fill(id);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
    },
  };
}

/** Whoever has one IPv6 address has a whole /64 of them. */
function networkOf(address: string): string {
  return address.includes(':') ? (parseAllowedRange(`${address}/64`) ?? address) : address;
}
