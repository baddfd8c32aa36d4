// Whether a caller has the answer already (RFC 9110, section 13.1.2). Guarantees: the tag of an
// answer is that of its bytes, so whoever is told 304 holds what would have been sent.

import { hash } from 'node:crypto';

const TAGS = new WeakMap<object, string>();

/** `answer` is what `text` was made of: one that is answered many times is looked at once. */
export function entityTagOf(answer: object, text: string): string {
  return TAGS.getOrInsertComputed(answer, () => `"${hash('sha256', text, 'base64url')}"`);
}

/** Weakly, as for any GET: a proxy that compresses answers makes a weak tag of ours. */
export function isNamed(entityTag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === entityTag || one === `W/${entityTag}`);
}
