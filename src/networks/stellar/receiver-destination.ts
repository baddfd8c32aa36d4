// How somebody who is paid from our account is written: the account, and the memo that tells its
// customers apart. What the ledger shows and what was ordered are compared in this form. Pure.
import { type MemoType, memoTypeOf, type ReceivingAccount } from '#people/account-fields.ts';
import type { ReadMemo } from './memo-number.ts';

type Receiver = {
  /** G... */
  readonly account: string;
  /** Of an account that was written as a muxed one. */
  readonly muxedId: bigint | undefined;
};

/**
 * `G...`, `G...:text:thanks`, `G...:id:7`, `G...:hash:<hex>`, `G...:return:<hex>`. The id of a
 * muxed account says the same as an id memo (CAP-27); beside a memo it makes another receiver.
 */
export function receiverDestination({ account, muxedId }: Receiver, memo: ReadMemo): string {
  const id = muxedId === undefined ? [] : [`id:${muxedId}`];
  const named = memo.kind === 'none' ? [] : [spell(memo)];
  return [account, ...id, ...named].join(':');
}

/** Of an account as it was ordered (api-contract.md 8); undefined when it names none. */
export function orderedDestination(ordered: ReceivingAccount): string | undefined {
  const { account, memo } = ordered;
  const memoType = memoTypeOf(ordered);
  if (account === undefined || (memo !== undefined && memoType === undefined)) return undefined;
  const read = memo === undefined || memoType === undefined ? NO_MEMO : memoOf(memo, memoType);
  return receiverDestination({ account, muxedId: undefined }, read);
}

const NO_MEMO = { kind: 'none' } as const;

function memoOf(memo: string, memoType: MemoType): ReadMemo {
  switch (memoType) {
    case 'text':
      return { kind: 'text', bytes: Buffer.from(memo) };
    case 'id':
      return { kind: 'id', id: BigInt(memo) };
    case 'hash':
    case 'return':
      return { kind: memoType, bytes: Buffer.from(memo, 'hex') };
  }
}

function spell(memo: Exclude<ReadMemo, { kind: 'none' }>): string {
  if (memo.kind === 'other') return 'unknown-memo';
  if (memo.kind === 'id') return `id:${memo.id}`;
  const bytes = Buffer.from(memo.bytes);
  const text = bytes.toString();
  // What is no text that can be stored and shown is written in hex, under a name of its own.
  const isText = !/\p{Cc}/u.test(text) && Buffer.from(text).equals(bytes);
  if (memo.kind === 'text') return isText ? `text:${text}` : `text-bytes:${bytes.toString('hex')}`;
  return `${memo.kind}:${bytes.toString('hex')}`;
}
