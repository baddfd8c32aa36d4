// Hosts of merchants' own. One spelling of each: ASCII (IDNA as in URL Standard 3.3), lower case,
// no dot at the end, no port. What is compared is that spelling, so that a look-alike is another
// host and another way to write a host is the same one.
//
// What the TXT records of a host say about who owns it: only the token of this one claim proves it,
// and only when no other claim of it stands beside: who moves a domain from one account to another
// takes the old record away first.
import type { Random } from '#base/random.ts';

/** With the label in front a name of DNS stays within 253 characters (RFC 1035, 2.3.4). */
const HOST_LENGTH_MAX = 230;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** No address: the last label of a name begins with a letter. */
const NAME = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);
const TOKEN = /^quittance-proof-[0-9a-f]{32}$/;
const TOKEN_BYTES = 16;
const PROOF_LABEL = '_quittance-challenge';

/** As typed by a person: a bare host. Nothing is cut off, so that nobody is surprised. */
export function parseDomainName(
  text: string,
): { readonly host: string } | { readonly fault: string } {
  const wrong = (reason: string) => ({ fault: `${JSON.stringify(text)} ${reason}` });
  if (/[\s/\\?#@:*[\]%]/.test(text)) {
    return wrong('must be a host alone, such as pay.shop.example (no https://, port, path or *)');
  }
  const host = findDomainName(URL.parse(`https://${text}/`)?.hostname ?? '');
  if (host !== undefined) return { host };
  return wrong('is no host that can be proven to be yours, such as pay.shop.example');
}

/** Of the `hostname` of a URL; undefined for addresses, and names without a dot. */
export function findDomainName(hostname: string): string | undefined {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host.length <= HOST_LENGTH_MAX && NAME.test(host) ? host : undefined;
}

/** Where the proof stands: a name nobody needs for anything else (RFC 8552). */
export function proofName(host: string): string {
  return `${PROOF_LABEL}.${host}`;
}

/** Pages of merchants' own domains are at the usual port of https. */
export function domainOrigin(host: string): string {
  return `https://${host}`;
}

export function newProofToken(random: Random): string {
  return `quittance-proof-${random.bytes(TOKEN_BYTES).toHex()}`;
}

export type DomainProof = 'proven' | 'missing' | 'wrong' | 'ambiguous';

/**
 * `records`: every TXT record of the name. A record that does not look like a token is not ours.
 */
export function decideDomainProof(records: readonly string[], token: string): DomainProof {
  const values = records.map((record) => record.trim());
  const tokens = new Set(values.filter((value) => TOKEN.test(value)));
  if (tokens.has(token)) return tokens.size === 1 ? 'proven' : 'ambiguous';
  return values.length === 0 ? 'missing' : 'wrong';
}
