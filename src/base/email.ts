import { codePointLength } from './text.ts';

const emailMax = 254;
const localMax = 64;
const domainMax = 253;

/**
 * An address as people use them: RFC 5321 without quoted local parts, address literals and hosts
 * without a dot; letters of any script (RFC 6531). Whether it exists is for the mail to find out.
 */
export function isEmail(text: string): boolean {
  if (codePointLength(text) > emailMax) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (codePointLength(local) > localMax) return false;
  const atom = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
  return local.split('.').every((part) => atom.test(part)) && isDomain(text.slice(at + 1));
}

/** A host name of at least two labels, letters of any script; the last label is no number. */
export function isDomain(text: string): boolean {
  const labels = text.split('.');
  const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
  const isTopLevel = /^(?!\p{N}+$)[^-]{2}|^xn--/u.test(labels.at(-1) ?? '');
  const isShaped = text.length <= domainMax && labels.length >= 2 && isTopLevel;
  return isShaped && labels.every((part) => label.test(part));
}
