// The log of a bank as a chain: each row has a hash of what it means and of the row before.

import { createHash } from 'node:crypto';

/** Before the first row. */
export const LOG_START = { height: 0n, hash: digestOf('the log of a bank') } as const;

type HashedRow = {
  readonly creditKey: string;
  readonly units: bigint;
  readonly isUndone: boolean;
};

export function logHash(parentHash: string, { creditKey, units, isUndone }: HashedRow): string {
  return digestOf(JSON.stringify([parentHash, creditKey, String(units), isUndone]));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
