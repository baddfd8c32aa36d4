// Whether a proxy stands in front that nobody declared: all customers then seem to come from its
// address, and share its limits.

import type { Log } from '#base/log.ts';
import { classifyAddress, parseAddress } from '#event/ip-address.ts';
import type { Config } from './config.ts';

/** We speak no TLS ourselves: who is reached by https has a proxy. Undefined: nothing to say. */
export function proxyAdvice({
  publicUrl,
  trustedProxies,
}: Pick<Config, 'publicUrl' | 'trustedProxies'>): string | undefined {
  if (trustedProxies.length > 0 || !publicUrl.startsWith('https:')) return undefined;
  return (
    'PUBLIC_URL is https, so a proxy is in front; set TRUSTED_PROXIES to its address, or all ' +
    'clients count as one'
  );
}

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

/**
 * Looks at each request, and says it once: a header of a proxy came from an address inside that no
 * setting names. From outside anybody may write such a header, and it says nothing.
 */
export function watchForProxy({
  log,
  config,
}: {
  readonly log: Log;
  readonly config: Pick<Config, 'trustedProxies'>;
}): (headers: Headers, remoteAddress: string) => void {
  let isSaid = config.trustedProxies.length > 0;
  return (headers, remoteAddress) => {
    if (isSaid) return;
    const header = FORWARDING.find((name) => headers.has(name));
    if (header === undefined || isOutside(remoteAddress)) return;
    isSaid = true;
    const advice = 'set TRUSTED_PROXIES to its address, or all clients count as one';
    log.warn(`a proxy that is not declared passes requests on: ${advice}`, {
      header,
      proxy: remoteAddress,
    });
  };
}

function isOutside(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes === undefined || classifyAddress(bytes) === 'public';
}
