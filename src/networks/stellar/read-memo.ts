// The memo of a transaction, as it was signed.
import type { xdr } from '@stellar/stellar-base';
import type { ReadMemo } from './memo-number.ts';

export function readMemo(memo: xdr.Memo): ReadMemo {
  switch (memo.switch().name) {
    case 'memoNone':
      return { kind: 'none' };
    case 'memoText':
      return { kind: 'text', bytes: Buffer.from(memo.text()) };
    case 'memoId':
      return { kind: 'id', id: memo.id().toBigInt() };
    case 'memoHash':
      return { kind: 'hash', bytes: memo.hash() };
    case 'memoReturn':
      return { kind: 'return', bytes: memo.retHash() };
    default:
      return { kind: 'other' };
  }
}
