// Where a webhook may be sent. The URL comes from outside with every checkout, so it is the
// shortest way for a stranger to reach the inside of our network.
// Guarantees (W4): a target that is 'allowed' carries the addresses that were checked, and the
// sender connects to these and to nothing else; one bad answer of the name server refuses the host.
// Not guaranteed: that a public address does not lead inside by somebody else's routing.
import { Resolver } from 'node:dns/promises';
import {
  type AddressRange,
  classifyAddress,
  isInRange,
  parseAddress,
  parseRange,
  unmapAddress,
} from '#account/ip-address.ts';
import type { Environment } from '#catalog/chain.ts';

/** Set by the operator; `strictTargetRules` is the default. */
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

export const strictTargetRules: TargetRules = {
  httpForLive: false,
  ports: [],
  allowedRanges: [],
  loopbackForTest: false,
};

/** All addresses of a name, as text; rejects when there is no answer. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

export type PinnedAddress = { readonly address: string; readonly family: 4 | 6 };

export type Target = {
  readonly url: URL;
  /** Without brackets and without the dot at the end: for SNI and for the certificate. */
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The only addresses to connect to. */
  readonly addresses: readonly PinnedAddress[];
};

export type Refused = { readonly kind: 'refused'; readonly reason: string };
export type TargetCheck = { readonly kind: 'allowed'; readonly target: Target } | Refused;

type ParsedTarget = Omit<Target, 'addresses'> & { readonly isPortOpen: boolean };

const urlLengthMax = 2048;
const answersMax = 64;
const pinnedMax = 8;

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
  if (isLocalhost(target.hostname) && !mayBeLoopback) return deniedReason;
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

function parseTarget(
  text: string,
  environment: Environment,
  rules: TargetRules,
): { kind: 'parsed'; target: ParsedTarget } | Refused {
  if (text.length > urlLengthMax)
    return refuse(`the URL is longer than ${urlLengthMax} characters`);
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
  if (answers.length > answersMax) return refuse('the host name has too many addresses');
  const ranges = rules.allowedRanges.map(parseRange).filter((range) => range !== undefined);
  const mayBeLoopback = environment === 'test' && rules.loopbackForTest;
  const addresses: PinnedAddress[] = [];
  let areAllLoopback = true;
  for (const answer of answers) {
    const bytes = parseAddress(answer);
    if (bytes === undefined) return refuse(deniedReason);
    const kind = classifyAddress(bytes);
    const isLoopback = kind === 'loopback';
    areAllLoopback &&= isLoopback;
    const isAllowed = kind === 'public' || (isLoopback && mayBeLoopback) || isListed(bytes, ranges);
    if (!isAllowed) return refuse(deniedReason);
    addresses.push({ address: answer, family: bytes.length === 4 ? 4 : 6 });
  }
  if (!isPortOpen && !(mayBeLoopback && areAllLoopback)) return refuse(portReason(target.port));
  return { kind: 'allowed', target: { ...target, addresses: addresses.slice(0, pinnedMax) } };
}

function isListed(bytes: Uint8Array, ranges: readonly AddressRange[]): boolean {
  const plain = unmapAddress(bytes);
  return ranges.some((range) => isInRange(plain, range) || isInRange(bytes, range));
}

function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

// Does not say which address: the merchant must not learn how names resolve inside.
const deniedReason = 'the host is not a public address';

function portReason(port: number): string {
  return `port ${port} is not allowed`;
}

function refuse(reason: string): Refused {
  return { kind: 'refused', reason };
}
