// How often one key and one address may call (base/token-buckets.ts). Guarantees: a call with a
// right key is refused only for calls that were made with right keys: what strangers do from the
// same address, guess or flood, empties buckets of their own. Behind a proxy that nobody declared,
// all clients have one address (E12). Not guaranteed: a sum over several processes.

import { parseAllowedRange } from '#account/ip-allow-list.ts';
import type { Clock } from '#base/clock.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';

/** Calls in a minute; 0 is no limit. */
export type RateLimitSettings = { readonly perKey: number; readonly perAddress: number };

export type RateLimits = {
  /** A call with a right key. @throws Refusal too-many `rate_limited`. */
  takeAddress(address: string): void;
  /** The same. @throws Refusal too-many `rate_limited`. */
  takeKey(apiKey: string): void;
  /** A call that nobody signed. @throws Refusal too-many `rate_limited`. */
  takeAnonymous(address: string): void;
  /** A failed authentication, which weighs as much as ten calls. @throws Refusal likewise. */
  takeFailure(address: string): void;
};

const failureTokens = 10;

export function createRateLimits(clock: Clock, settings: RateLimitSettings): RateLimits {
  const { perAddress, perKey } = settings;
  const addresses = createTokenBuckets(clock, perAddress, 'from this address');
  const anonymous = createTokenBuckets(clock, perAddress, 'from this address');
  const failures = createTokenBuckets(clock, perAddress, 'from this address');
  const keys = createTokenBuckets(clock, perKey, 'with this key');
  return {
    takeAddress: (address) => addresses.take(networkOf(address)),
    takeKey: (apiKey) => keys.take(apiKey),
    takeAnonymous: (address) => anonymous.take(networkOf(address)),
    takeFailure(address) {
      failures.take(networkOf(address));
      failures.drain(networkOf(address), failureTokens - 1);
    },
  };
}

/** Whoever has one IPv6 address has a whole /64 of them. */
function networkOf(address: string): string {
  return address.includes(':') ? (parseAllowedRange(`${address}/64`) ?? address) : address;
}
