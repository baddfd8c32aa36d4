// Whether customers find the service under its public address: its name, its certificate, and who
// answers there. Nothing of ours is sent before the certificate was looked at.

import { lookup, Resolver } from 'node:dns/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { classifyAddress, parseAddress } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import type { Finding } from './finding.ts';

/** Every address of a host. @throws Error of the system where there is none. */
export type FindAddresses = (host: string) => Promise<readonly string[]>;

type SiteParts = {
  readonly clock: Pick<Clock, 'now'>;
  readonly findAddresses: FindAddresses;
  /** Whether a server is to answer there already. */
  readonly isRunning: boolean;
  /** PEM of authorities beside the well-known ones. */
  readonly authorities?: readonly string[];
};

const WITHIN_MS = 8_000;
const NAME = 'domain';
const TLS = 'TLS';
const REACHED = 'public address';

/** The name servers of the machine, or those that the settings name. */
export function addressesBy(servers: readonly string[]): FindAddresses {
  if (servers.length === 0) {
    return async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
  }
  return async (host) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([...servers]);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const [first] = found;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

export async function checkSite(publicUrl: string, parts: SiteParts): Promise<Finding[]> {
  const url = new URL(publicUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isOfThisMachine(host)) {
    const detail = `${publicUrl} is this machine alone: for trying; PUBLIC_URL says where customers are`;
    return [{ ok: true, what: REACHED, detail }];
  }
  let addresses: readonly string[];
  try {
    addresses = parseAddress(host) === undefined ? await parts.findAddresses(host) : [host];
  } catch (error) {
    return [{ ok: false, what: NAME, detail: nameFault(host, error) }];
  }
  const named: Finding = nameFinding(host, addresses);
  if (url.protocol === 'http:') {
    const detail =
      `customers reach ${publicUrl} without TLS: put a proxy with a certificate in front of the ` +
      'service and set PUBLIC_URL to the https address (docs/operate/install.md)';
    return [named, { ok: isInside(addresses), what: TLS, detail }];
  }
  const tls = await checkTls({ host, port: Number(url.port || 443), addresses }, parts);
  if (!tls.ok || !parts.isRunning) return [named, tls];
  return [named, tls, await checkAnswer(publicUrl)];
}

function nameFault(host: string, error: unknown): string {
  const isUnknown = ['ENOTFOUND', 'ENODATA'].includes(codeOf(error));
  const advice = `add an A or AAAA record that points ${host} to the machine that customers reach`;
  return isUnknown
    ? `${host} has no address in the DNS: ${advice}; a new record may take an hour to be seen`
    : `${host} could not be looked up (${codeOf(error)}): are the name servers of this machine right?`;
}

function nameFinding(host: string, addresses: readonly string[]): Finding {
  const detail = `${host} is ${addresses.join(', ')}`;
  if (!isInside(addresses)) return { ok: true, what: NAME, detail };
  return { ok: true, what: NAME, detail: `${detail}, which nobody reaches from outside` };
}

function isInside(addresses: readonly string[]): boolean {
  return addresses.every((address) => {
    const bytes = parseAddress(address);
    return bytes !== undefined && classifyAddress(bytes) !== 'public';
  });
}

function isOfThisMachine(host: string): boolean {
  const bytes = parseAddress(host);
  return host === 'localhost' || (bytes !== undefined && classifyAddress(bytes) === 'loopback');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

type Place = {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
};

/** What a server showed in a handshake. */
type ShownCertificate = {
  /** Undefined: trusted, and for this host. */
  readonly fault: string | undefined;
  readonly issuer: string;
  readonly validTo: Temporal.Instant;
  readonly protocol: string;
};

/** Authorities that renew by themselves do so a month before the end. */
const LEAST_DAYS = 14;

export function decideCertificate(
  host: string,
  { fault, issuer, validTo, protocol }: ShownCertificate,
  now: Temporal.Instant,
): Finding {
  const days = Math.floor(now.until(validTo).total('hours') / 24);
  const until = validTo.toString().slice(0, 10);
  if (fault !== undefined) {
    const detail =
      `the certificate of ${host} is refused by browsers (${fault}): let the proxy get one for ` +
      `exactly this name; the one it shows is from ${issuer}, until ${until}`;
    return { ok: false, what: TLS, detail };
  }
  if (days < LEAST_DAYS) {
    const detail =
      `the certificate of ${host} ends on ${until} and was not renewed: ` +
      'look at the log of the proxy; ports 80 and 443 have to be reached from outside';
    return { ok: false, what: TLS, detail };
  }
  const detail = `${protocol}, certificate of ${host} from ${issuer} until ${until} (${days} days)`;
  return { ok: true, what: TLS, detail };
}

async function checkTls(place: Place, parts: SiteParts): Promise<Finding> {
  try {
    return decideCertificate(place.host, await shakeHands(place, parts), parts.clock.now());
  } catch (error) {
    const detail =
      `nobody speaks TLS at ${place.host} port ${place.port} (${codeOf(error)}): ` +
      'is the proxy running, and is the port open in the firewall?';
    return { ok: false, what: TLS, detail };
  }
}

function shakeHands(
  { host, port, addresses }: Place,
  { authorities }: SiteParts,
): Promise<ShownCertificate> {
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const socket = connect({
    host: addresses[0],
    port,
    ...(parseAddress(host) === undefined && { servername: host }),
    ...(authorities !== undefined && { ca: [...authorities] }),
    // We want to say what is wrong with it; nothing is sent.
    rejectUnauthorized: false,
    timeout: WITHIN_MS,
  });
  socket.once('timeout', () => socket.destroy(new Error(`no answer in ${WITHIN_MS} ms`)));
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerCertificate();
    resolve({
      fault: socket.authorized ? undefined : String(socket.authorizationError),
      issuer: issuerOf(certificate),
      validTo: Temporal.Instant.fromEpochMilliseconds(Date.parse(certificate.valid_to)),
      protocol: socket.getProtocol() ?? 'TLS',
    });
    socket.destroy();
  });
  return promise;
}

function issuerOf({ issuer }: PeerCertificate): string {
  const names = [issuer?.O, issuer?.CN].flatMap((name) => name ?? []);
  return names.flat().join(' ') || 'nobody';
}

/** The API says in JSON that it wants a key. */
async function checkAnswer(publicUrl: string): Promise<Finding> {
  const address = `${publicUrl}/api/v1/time`;
  const signal = AbortSignal.timeout(WITHIN_MS);
  try {
    const answer = await fetch(address, { redirect: 'manual', signal });
    const isOurs = answer.headers.get('content-type')?.includes('json') === true;
    await answer.body?.cancel();
    if (answer.status === 401 && isOurs) {
      return { ok: true, what: REACHED, detail: `the service answers at ${publicUrl}` };
    }
    const detail =
      `${address} answers ${answer.status} and not as the service does: ` +
      'does the proxy pass everything on to HOST and PORT, and is the server running?';
    return { ok: false, what: REACHED, detail };
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    const detail = `${address} does not answer (${codeOf(reason)}): is the proxy running?`;
    return { ok: false, what: REACHED, detail };
  }
}
