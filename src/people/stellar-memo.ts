export const MEMO_TYPES = ['text', 'id', 'hash', 'return'] as const;
export type MemoType = (typeof MEMO_TYPES)[number];

const memoTextBytesMax = 28;
const memoIdLimit = 2n ** 64n;

/** What is wrong with a memo of this type (Stellar, Transactions, Memo), in words. */
export function memoFault(memo: string, memoType: MemoType): string | undefined {
  if (memoType === 'text') {
    const { length } = new TextEncoder().encode(memo);
    const isFit = length > 0 && length <= memoTextBytesMax;
    return isFit ? undefined : `must have 1 to ${memoTextBytesMax} bytes`;
  }
  if (memoType === 'id') {
    const isFit = /^(?:0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < memoIdLimit;
    return isFit ? undefined : 'must be a whole number below 2^64';
  }
  return /^[0-9a-f]{64}$/i.test(memo) ? undefined : 'must be 64 hexadecimal digits';
}
