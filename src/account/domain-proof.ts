// What the TXT records of a domain say about who owns it. Guarantees: only the token of this one
// claim proves it, and only when no other claim of it stands beside: who moves a domain from one
// account to another takes the old record away first.
import type { Random } from '#base/random.ts';

const TOKEN = /^quittance-proof-[0-9a-f]{32}$/;
const TOKEN_BYTES = 16;

export function newProofToken(random: Random): string {
  return `quittance-proof-${random.bytes(TOKEN_BYTES).toHex()}`;
}

export type DomainProof = 'proven' | 'missing' | 'wrong' | 'ambiguous';

/** `records`: every TXT record of the name. What has not the form of a token is none of ours. */
export function decideDomainProof(records: readonly string[], token: string): DomainProof {
  const values = records.map((record) => record.trim());
  const tokens = new Set(values.filter((value) => TOKEN.test(value)));
  if (tokens.has(token)) return tokens.size === 1 ? 'proven' : 'ambiguous';
  return values.length === 0 ? 'missing' : 'wrong';
}
