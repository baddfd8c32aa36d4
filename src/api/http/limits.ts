// How often one key and one address may call (token-buckets.ts), and how often one signature may be
// used. Guarantees: a call with a right key is refused only for calls that were made with
// right keys: what strangers do from the same address, guess or flood, empties buckets of their
// own. Behind a proxy that nobody declared, all clients have one address (E12). Memory is bounded.
// Not guaranteed: a sum over several processes; each counts for itself.

import { isIP } from 'node:net';
import { addressAllowed, addressNeighbours, canonicalIp } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';

/** Calls in a minute; 0 is no limit. */
export type RateLimitSettings = { readonly perKey: number; readonly perAddress: number };

/** Headers of the answer, to which a limit adds where its caller stands. */
type Told = Record<string, string>;

export type RateLimits = {
  /** A call with a right key. @throws Refusal too-many `rate_limited`. */
  takeAddress(address: string, told?: Told): void;
  /** The same. @throws Refusal too-many `rate_limited`. */
  takeKey(apiKey: string, told?: Told): void;
  /** A call that nobody signed. @throws Refusal too-many `rate_limited`. */
  takeAnonymous(address: string, told?: Told): void;
  /**
   * A failed authentication, which weighs as much as ten calls. Only who is above the limit is told
   * of it. @throws Refusal likewise.
   */
  takeFailure(address: string, told?: Told): void;
};

const FAILURE_TOKENS = 10;
const USES_MAX = 20;
/** From 5 s before the server's time to 30 s after the client's, and one to spare. */
const WINDOW_MS = 36_000;
const SIGNATURES_MAX = 50_000;

export function createRateLimits(clock: Clock, settings: RateLimitSettings): RateLimits {
  const { perAddress, perKey } = settings;
  const whose = 'from this address';
  const addresses = createToldLimit(clock, { name: 'address', most: perAddress, whose });
  const anonymous = createToldLimit(clock, { name: 'unsigned', most: perAddress, whose });
  const failures = createToldLimit(clock, { name: 'failures', most: perAddress, whose }, false);
  const keys = createToldLimit(clock, { name: 'key', most: perKey, whose: 'with this key' });
  return {
    takeAddress: (address, told) => addresses.take(addressNeighbours(address), told),
    takeKey: (apiKey, told) => keys.take(apiKey, told),
    takeAnonymous: (address, told) => anonymous.take(addressNeighbours(address), told),
    takeFailure(address, told) {
      failures.take(addressNeighbours(address), told);
      failures.drain(addressNeighbours(address), FAILURE_TOKENS - 1);
    },
  };
}

/**
 * Buckets of a minute that say where a caller stands: `RateLimit-Policy` and `RateLimit` of
 * draft-ietf-httpapi-ratelimit-headers-11. `t` is when it may be one more: what `Retry-After` says
 * to who has none left, as section 6.4 wants it.
 */
function createToldLimit(
  clock: Clock,
  { name, most, whose }: { readonly name: string; readonly most: number; readonly whose: string },
  isToldBefore = true,
) {
  const buckets = createTokenBuckets(clock, most, whose);
  const policy = `"${name}";q=${most};w=60`;

  function tell(told: Told, remaining: number, seconds: number): void {
    add(told, 'ratelimit-policy', policy);
    add(told, 'ratelimit', `"${name}";r=${remaining};t=${seconds}`);
  }

  return {
    drain: buckets.drain,
    take(id: string, told: Told = {}): void {
      try {
        const standing = buckets.take(id);
        if (standing !== undefined && isToldBefore)
          tell(told, standing.remaining, standing.moreInSeconds);
      } catch (error) {
        if (error instanceof Refusal) tell(told, 0, error.retryAfterSeconds ?? 1);
        throw error;
      }
    },
  };
}

function add(told: Told, name: string, item: string): void {
  const before = told[name];
  told[name] = before === undefined ? item : `${before}, ${item}`;
}

/**
 * Replays of the class `create` (api-contract.md 3): two honest identical carts in one second have
 * the same signature, so repeats are allowed: 20 uses while the timestamp is young enough to be
 * accepted. Processes count apart, so n of them allow n times as many, and of more live signatures
 * than SIGNATURES_MAX the oldest is forgotten. Both are harmless here: a replay can only make an
 * unpaid checkout. Money-moving routes do not rest on this: their signatures are single-use in a
 * table.
 */
export type ReplayWindow = {
  /** @throws Refusal when this signature of this key was accepted too often. */
  accept(apiKey: string, mac: string): void;
};

export function createReplayWindow(clock: Clock): ReplayWindow {
  // In order of first use: the oldest leave first.
  const uses = new Map<string, { count: number; readonly endsAtMs: number }>();

  function forgetOld(nowMs: number): void {
    for (const [id, { endsAtMs }] of uses) {
      if (endsAtMs > nowMs && uses.size < SIGNATURES_MAX) break;
      uses.delete(id);
    }
  }

  return {
    accept(apiKey, mac) {
      const nowMs = clock.monotonicMs();
      forgetOld(nowMs);
      const id = `${apiKey}/${mac}`;
      const use = uses.get(id);
      if (use === undefined) {
        uses.set(id, { count: 1, endsAtMs: nowMs + WINDOW_MS });
        return;
      }
      use.count += 1;
      if (use.count > USES_MAX) {
        const message = 'this signature was used too often: sign the request again';
        throw new Refusal('too-many', 'signature_repeated', message, { retryAfterSeconds: 1 });
      }
    },
  };
}

// Who is at the other end. Guarantees: a header is believed only as far as a chain of trusted
// proxies leads back from the socket; by default no proxy is trusted and X-Forwarded-For is ignored
// (E10).

/**
 * The rightmost address that is not a trusted proxy. `remoteAddress` is the socket's,
 * `forwardedFor` the X-Forwarded-For header, `trustedProxies` addresses and CIDR ranges. What is no
 * address ends the chain: the proxy that passed it on is answered.
 */
export function clientAddress(
  remoteAddress: string,
  forwardedFor: string | null,
  trustedProxies: readonly string[],
): string {
  let client = plainAddress(remoteAddress);
  for (const hop of forwardedFor?.split(',').reverse() ?? []) {
    if (!addressAllowed(trustedProxies, client)) break;
    const address = plainAddress(hop.trim());
    if (isIP(address) === 0) break;
    client = address;
  }
  return client;
}

/**
 * One spelling of each address: ::ffff:192.0.2.1, also as ::ffff:c000:201, is 192.0.2.1 (on a
 * dual-stack socket they are the same client).
 */
function plainAddress(address: string): string {
  return isIP(address) === 6 ? (canonicalIp(address) ?? address) : address;
}
