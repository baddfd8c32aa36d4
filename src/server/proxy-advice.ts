// Whether a proxy stands in front that nobody declared: all customers then seem to come from its
// address, and share its limits.

import type { IncomingHttpHeaders } from 'node:http';
import { classifyAddress, parseAddress } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ProxySeen } from '#installation/installation.ts';
import type { Config } from './config.ts';

type ProxyConfig = Pick<Config, 'publicUrl' | 'trustedProxies'>;

const NOTED_EVERY_MS = 3_600_000;

/** We speak no TLS ourselves: who is reached by https has a proxy. Undefined: nothing to say. */
export function proxyAdvice(
  { publicUrl, trustedProxies }: ProxyConfig,
  seen: ProxySeen | undefined,
): string | undefined {
  const isHttps = publicUrl.startsWith('https:');
  if (seen?.saysHttps === true && !isHttps) {
    return (
      `a proxy at ${seen.from} is reached by https and PUBLIC_URL is http; set PUBLIC_URL to the ` +
      'address that customers see, and TRUSTED_PROXIES to that of the proxy'
    );
  }
  if (trustedProxies.length > 0) return undefined;
  const then = 'set TRUSTED_PROXIES to its address, or all clients count as one';
  if (seen !== undefined) return `a proxy at ${seen.from} passes requests on; ${then}`;
  return isHttps ? `PUBLIC_URL is https, so a proxy is in front; ${then}` : undefined;
}

const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-proto'] as const;

/**
 * Looks at each request: a header of a proxy came from an address inside, and the settings do not
 * fit. Said once in the log, and noted for `doctor` and the next welcome. From outside anybody may
 * write such a header, and it says nothing.
 */
export function watchForProxy({
  log,
  clock,
  config,
  note,
}: {
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly config: ProxyConfig;
  readonly note: (seen: ProxySeen) => Promise<void>;
}): (headers: IncomingHttpHeaders, remoteAddress: string) => void {
  const isWell = config.trustedProxies.length > 0 && config.publicUrl.startsWith('https:');
  const said = new Set<string>();
  let notedAtMs = Number.NEGATIVE_INFINITY;
  return (headers, from) => {
    if (isWell) return;
    const header = FORWARDING.find((name) => headers[name] !== undefined);
    if (header === undefined || isOutside(from)) return;
    const saysHttps = String(headers['x-forwarded-proto']).trim().toLowerCase() === 'https';
    const seen = { from, saysHttps };
    const advice = proxyAdvice(config, seen);
    if (advice === undefined) return;
    const kind = saysHttps ? 'https' : 'forwarded';
    const isNew = !said.has(kind);
    if (!isNew && clock.monotonicMs() - notedAtMs < NOTED_EVERY_MS) return;
    notedAtMs = clock.monotonicMs();
    said.add(kind);
    if (isNew) log.warn(`the settings do not fit the proxy: ${advice}`, { header, proxy: from });
    note(seen).catch((error: unknown) => log.warn('a proxy could not be noted', { error }));
  };
}

function isOutside(address: string): boolean {
  const bytes = parseAddress(address);
  return bytes === undefined || classifyAddress(bytes) === 'public';
}
