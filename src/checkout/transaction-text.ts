// What a customer pastes when asked for a transaction: the hash, or the address of an explorer with
// the hash in it, in upper or lower case, with or without 0x.
import { networkOfExplorer } from '#catalog/explorer.ts';

export type TransactionText = {
  /** The hash as networks write it: lower case, with 0x (EVM), upper case (XRP Ledger). */
  readonly transactions: readonly string[];
  /** Written with 0x: only wallets of EVM networks do that. */
  readonly hasPrefix: boolean;
  /** Where the explorer looks that the address belongs to. */
  readonly network: string | undefined;
};

/** More than the longest address of an explorer. */
export const TRANSACTION_TEXT_MAX = 500;

const HASH = /(?<![0-9a-z])(0x)?([0-9a-f]{64})(?![0-9a-z])/i;

/** Undefined when there is no hash in it, more than one, or too much around it. */
export function readTransactionText(text: string): TransactionText | undefined {
  if (text.length > TRANSACTION_TEXT_MAX) return undefined;
  const match = HASH.exec(text);
  const hash = match?.[2]?.toLowerCase();
  if (match === null || hash === undefined) return undefined;
  const rest = text.slice(match.index + match[0].length);
  const another = HASH.exec(rest)?.[2]?.toLowerCase();
  if (another !== undefined && another !== hash) return undefined;
  return {
    transactions: [hash, `0x${hash}`, hash.toUpperCase()],
    hasPrefix: match[1] !== undefined,
    network: explorerIn(text),
  };
}

function explorerIn(text: string): string | undefined {
  const address = text.trim();
  return URL.canParse(address) ? networkOfExplorer(new URL(address).host) : undefined;
}
