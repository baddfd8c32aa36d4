// Where a webhook may be sent. The URL comes from outside with every checkout, so it is the
// shortest way for a stranger to reach the inside of our network.
// Guarantees (W4): a target that is 'allowed' carries the addresses that were checked, and the
// sender connects to these and to nothing else; one bad answer of the name server refuses the host.
// Not guaranteed: that a public address does not lead inside by somebody else's routing.
import { Resolver } from 'node:dns/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  type AddressRange,
  classifyAddress,
  isInRange,
  parseAddress,
  parseRange,
  unmapAddress,
} from '#access/ip-address.ts';
import type { Environment } from '#catalog/chain.ts';

/** Set by the operator; `STRICT_TARGET_RULES` is the default. */
export type TargetRules = {
  /** Plain http for live keys too. Test keys may always use it. */
  readonly httpForLive: boolean;
  /** Ports allowed beside 443 and 8443 (and 80 where http is allowed). */
  readonly ports: readonly number[];
  /** CIDR ranges allowed although they are not public: shops on the operator's own network. */
  readonly allowedRanges: readonly string[];
  /** The installation itself listens on loopback only: test keys may use loopback, on any port. */
  readonly loopbackForTest: boolean;
};

export const STRICT_TARGET_RULES: TargetRules = {
  httpForLive: false,
  ports: [],
  allowedRanges: [],
  loopbackForTest: false,
};

/** All addresses of a name, as text; rejects when there is no answer. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

type PinnedAddress = { readonly address: string; readonly family: 4 | 6 };

export type Target = {
  readonly url: URL;
  /** Without brackets and without the dot at the end: for SNI and for the certificate. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The only addresses to connect to. */
  readonly addresses: readonly PinnedAddress[];
};

type Refused = { readonly kind: 'refused'; readonly reason: string };
type TargetCheck = { readonly kind: 'allowed'; readonly target: Target } | Refused;

type ParsedTarget = Omit<Target, 'addresses'> & { readonly isPortOpen: boolean };

/** How long one of several addresses may take before the next is tried beside it (RFC 8305). */
const NEXT_ADDRESS_MS = 400;
const URL_LENGTH_MAX = 2048;
const ANSWERS_MAX = 64;
const PINNED_MAX = 8;

/**
 * The part that needs no name server, for a friendly refusal when a checkout is created. The check
 * that counts is `checkTarget`, at each attempt.
 */
export function findTargetFault(
  text: string,
  environment: Environment,
  rules: TargetRules,
): string | undefined {
  const parsed = parseTarget(text, environment, rules);
  if (parsed.kind === 'refused') return parsed.reason;
  const { target } = parsed;
  const literal = parseAddress(target.hostname);
  const mayBeLoopback = environment === 'test' && rules.loopbackForTest;
  if (literal !== undefined) {
    const check = pin(target, [target.hostname], environment, rules);
    return check.kind === 'refused' ? check.reason : undefined;
  }
  if (isLocalhost(target.hostname) && !mayBeLoopback) return DENIED_REASON;
  return target.isPortOpen || mayBeLoopback ? undefined : portReason(target.port);
}

/** Parses, resolves once, classifies every answer, and pins them. Never rejects. */
export async function checkTarget(
  text: string,
  environment: Environment,
  rules: TargetRules,
  resolve: ResolveAddresses,
): Promise<TargetCheck> {
  const parsed = parseTarget(text, environment, rules);
  if (parsed.kind === 'refused') return parsed;
  const { target } = parsed;
  if (parseAddress(target.hostname) !== undefined) {
    return pin(target, [target.hostname], environment, rules);
  }
  let answers: readonly string[];
  try {
    answers = await resolve(target.hostname);
  } catch {
    return refuse('the host name does not resolve');
  }
  return pin(target, answers, environment, rules);
}

/** A and AAAA from the configured name servers; localhost is loopback (RFC 6761). */
export function createResolver(): ResolveAddresses {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const answers = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (answers.length === 0 && four.status === 'rejected') throw four.reason;
    return answers;
  };
}

/**
 * Opens a connection to the addresses that were checked and to no other (W4). No agent, no pool, no
 * proxy, no second look-up: the name is used for SNI, for the certificate and for nothing else.
 * Rejects with the signal's reason when aborted, and with what the socket says otherwise.
 */
export async function openPinnedSocket(target: Target, signal: AbortSignal): Promise<Socket> {
  const plain = connectTcp({
    host: target.hostname,
    port: target.port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_hostname, options, done) => {
      const [first] = target.addresses;
      if (options.all) done(null, [...target.addresses]);
      else done(null, first?.address ?? '', first?.family);
    },
  });
  await untilReady(plain, 'connect', signal);
  // Cannot differ unless this file is wrong; nothing has been written yet.
  if (!isPinned(plain.remoteAddress, target.addresses)) {
    plain.destroy();
    throw new Error('connected to an address that was not checked');
  }
  plain.setNoDelay(true);
  if (!target.isTls) return plain;
  const isLiteral = parseAddress(target.hostname) !== undefined;
  const secure = connectTls({
    socket: plain,
    host: target.hostname,
    servername: isLiteral ? '' : target.hostname,
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
  await untilReady(secure, 'secureConnect', signal);
  return secure;
}

function parseTarget(
  text: string,
  environment: Environment,
  rules: TargetRules,
): { kind: 'parsed'; target: ParsedTarget } | Refused {
  if (text.length > URL_LENGTH_MAX)
    return refuse(`the URL is longer than ${URL_LENGTH_MAX} characters`);
  const url = URL.parse(text);
  if (url === null) return refuse('the URL cannot be parsed');
  const isHttpAllowed = environment === 'test' || rules.httpForLive;
  if (url.protocol !== 'https:' && !(isHttpAllowed && url.protocol === 'http:')) {
    return refuse(isHttpAllowed ? 'the URL must be https or http' : 'the URL must be https');
  }
  if (url.username !== '' || url.password !== '') return refuse('the URL must not name a user');
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (hostname === '') return refuse('the URL names no host');
  const open = [443, 8443, ...(isHttpAllowed ? [80] : []), ...rules.ports];
  const isPortOpen = open.includes(port);
  return { kind: 'parsed', target: { url, hostname, port, isTls, isPortOpen } };
}

function pin(
  { isPortOpen, ...target }: ParsedTarget,
  answers: readonly string[],
  environment: Environment,
  rules: TargetRules,
): TargetCheck {
  if (answers.length === 0) return refuse('the host name has no address');
  if (answers.length > ANSWERS_MAX) return refuse('the host name has too many addresses');
  const ranges = rules.allowedRanges.map(parseRange).filter((range) => range !== undefined);
  const mayBeLoopback = environment === 'test' && rules.loopbackForTest;
  const addresses: PinnedAddress[] = [];
  let areAllLoopback = true;
  for (const answer of answers) {
    const bytes = parseAddress(answer);
    if (bytes === undefined) return refuse(DENIED_REASON);
    const kind = classifyAddress(bytes);
    const isLoopback = kind === 'loopback';
    areAllLoopback &&= isLoopback;
    const isAllowed = kind === 'public' || (isLoopback && mayBeLoopback) || isListed(bytes, ranges);
    if (!isAllowed) return refuse(DENIED_REASON);
    addresses.push({ address: answer, family: bytes.length === 4 ? 4 : 6 });
  }
  if (!isPortOpen && !(mayBeLoopback && areAllLoopback)) return refuse(portReason(target.port));
  return { kind: 'allowed', target: { ...target, addresses: addresses.slice(0, PINNED_MAX) } };
}

function isListed(bytes: Uint8Array, ranges: readonly AddressRange[]): boolean {
  const plain = unmapAddress(bytes);
  return ranges.some((range) => isInRange(plain, range) || isInRange(bytes, range));
}

function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

// Does not say which address: the merchant must not learn how names resolve inside.
const DENIED_REASON = 'the host is not a public address';

function portReason(port: number): string {
  return `port ${port} is not allowed`;
}

function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}

function untilReady(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  const close = () => reject(new Error('the connection was closed'));
  // This listener is never removed: a socket without one would end the process at its first error.
  socket.on('error', reject);
  socket.once('close', close);
  socket.once(event, resolve);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return promise
    .catch((error: unknown) => {
      socket.destroy();
      throw error;
    })
    .finally(() => {
      socket.off('close', close);
      signal.removeEventListener('abort', abort);
    });
}

function isPinned(remote: string | undefined, addresses: readonly PinnedAddress[]): boolean {
  const plain = canonical(remote ?? '');
  return plain !== undefined && addresses.some(({ address }) => canonical(address) === plain);
}

function canonical(address: string): string | undefined {
  const bytes = parseAddress(address);
  return bytes === undefined ? undefined : unmapAddress(bytes).toHex();
}
