// Customers of one account are told apart by a decimal number within 63 bits. A wallet may send it
// as a text memo, as an id memo or inside a muxed account (CAP-27): all three are the same number.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';

const CHECK_DIGITS = 6;
const CHECK_RANGE = 10n ** BigInt(CHECK_DIGITS);
const MEMO_LIMIT = 2n ** 63n;

/** Where a new source begins (firstIndexes): as many are left to give out. */
export const MEMOS_BEGIN = { least: 10n ** 11n, below: 45n * 10n ** 11n };

/**
 * The index and six digits that depend on it and on the account, so that a mistyped memo is
 * nobody's and not another customer's. Pure.
 */
export function memoAt(account: string, index: bigint): string {
  return memoWith(createHash('sha256').update(`${account}/memo/${index}`).digest(), index);
}

/** Of somebody else's digest. */
export function memoWith(digest: Buffer, index: bigint): string {
  const memo = (index + 1n) * CHECK_RANGE + (digest.readBigUInt64BE(0) % CHECK_RANGE);
  assert(memo < MEMO_LIMIT, 'a memo fits into 63 bits');
  return memo.toString();
}

export type ReadMemo =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'id'; readonly id: bigint }
  /** Never a number. */
  | { readonly kind: 'hash' | 'return'; readonly bytes: Uint8Array }
  /** Written in a newer way than is known here. */
  | { readonly kind: 'other' };

/**
 * The number that a payment names, in its one decimal spelling; undefined when it names none, or
 * two that differ. Leading zeros, spaces and signs are another text, not the number.
 */
export function memoNumberOf(memo: ReadMemo, muxedId: bigint | undefined): string | undefined {
  const named = numberOf(memo);
  if (muxedId === undefined) return named;
  const muxed = inRange(muxedId);
  if (memo.kind === 'none') return muxed;
  return named === muxed ? muxed : undefined;
}

function numberOf(memo: ReadMemo): string | undefined {
  if (memo.kind === 'id') return inRange(memo.id);
  if (memo.kind !== 'text') return undefined;
  const text = Buffer.from(memo.bytes).toString('latin1');
  return /^[1-9]\d{0,18}$/.test(text) ? inRange(BigInt(text)) : undefined;
}

function inRange(number: bigint): string | undefined {
  return number > 0n && number < MEMO_LIMIT ? number.toString() : undefined;
}
