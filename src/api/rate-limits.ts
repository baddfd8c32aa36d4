// How often one key and one address may call (base/token-buckets.ts). Guarantees: failed
// authentications empty the bucket of their address faster and never that of the key they name, so
// nobody can lock out a key (E12). Not guaranteed: a sum over several processes.
import type { Clock } from '#base/clock.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
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

const failureTokens = 9;

export function createRateLimits(clock: Clock, settings: RateLimitSettings): RateLimits {
  const addresses = createTokenBuckets(clock, settings.perAddress, 'from this address');
  const keys = createTokenBuckets(clock, settings.perKey, 'with this key');
  return {
    takeAddress: (address) => addresses.take(networkOf(address)),
    takeKey: (apiKey) => keys.take(apiKey),
    noteFailure: (address) => addresses.drain(networkOf(address), failureTokens),
  };
}

/** Whoever has one IPv6 address has a whole /64 of them. */
function networkOf(address: string): string {
  return address.includes(':') ? (parseAllowedRange(`${address}/64`) ?? address) : address;
}
