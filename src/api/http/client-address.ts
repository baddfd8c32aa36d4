// Who is at the other end. Guarantees: a header is believed only as far as a chain of trusted
// proxies leads back from the socket; by default no proxy is trusted and X-Forwarded-For is ignored
// (E10).
import { isIP } from 'node:net';
import { addressAllowed, canonicalIp } from '#access/ip-address.ts';

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
