// Text as the specification counts it, what PostgreSQL's text cannot hold, and the shapes that
// people type everywhere: an e-mail address, the name of a host, an address of http.

const EMAIL_MAX = 254;
const LOCAL_MAX = 64;
const DOMAIN_MAX = 253;

/** Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Half of a surrogate pair without the other: not encodable as UTF-8. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

export function hasNul(text: string): boolean {
  return text.includes('\u0000');
}

/** What PostgreSQL's text can hold, of so many code points at most. */
export function isStorable(text: string, most: number): boolean {
  return codePointLength(text) <= most && !hasNul(text) && !hasLoneSurrogate(text);
}

/**
 * An address as people use them: RFC 5321 without quoted local parts, address literals and hosts
 * without a dot; letters of any script (RFC 6531). Whether it exists is for the mail to find out.
 */
export function isEmail(text: string): boolean {
  if (codePointLength(text) > EMAIL_MAX) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (codePointLength(local) > LOCAL_MAX) return false;
  const atom = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
  return local.split('.').every((part) => atom.test(part)) && isDomain(text.slice(at + 1));
}

/** A host name of at least two labels, letters of any script; the last label is no number. */
export function isDomain(text: string): boolean {
  const labels = text.split('.');
  const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
  const isTopLevel = /^(?!\p{N}+$)[^-]{2}|^xn--/u.test(labels.at(-1) ?? '');
  const isShaped = text.length <= DOMAIN_MAX && labels.length >= 2 && isTopLevel;
  return isShaped && labels.every((part) => label.test(part));
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** `1 event`, `2 events`: for what a command says. `many` where it is not `one` with an s. */
export function counted(count: bigint | number, one: string, many = `${one}s`): string {
  return `${count} ${BigInt(count) === 1n ? one : many}`;
}
