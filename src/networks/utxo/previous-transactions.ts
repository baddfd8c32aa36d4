// The whole transactions that made the coins of a payment, for hardware wallets: without them an
// amount may be lied about (BIP-174, non-witness UTXO), and some sign nothing then. Each is asked
// of the node and is what its id says. Where the node has it no more (pruned), or cannot be asked,
// it is left out: software that signs segwit needs none.
import { RpcFailure, requireFields, requireThat } from '#networks/answer-fields.ts';
import type { CoreRpc } from './json-rpc.ts';
import { type RawChain, readUnconfirmed } from './read-transaction.ts';
import { requireBytes, requireCount } from './require-answer.ts';
import type { Coin } from './select-coins.ts';

/**
 * Bytes of all together. A payment of an exchange to a thousand people may be one of them, and what
 * was drafted is kept, and goes to the signer in one line.
 */
const BYTES_MOST = 200_000;

/** By id. @throws NodeLie, Outage */
export async function readPreviousTransactions(
  rpc: CoreRpc,
  chain: RawChain,
  coins: readonly Pick<Coin, 'transaction' | 'vout'>[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const coin of coins) {
    const { transaction } = coin;
    if (read.has(transaction)) continue;
    const raw = await readPrevious(rpc, coin);
    if (raw === undefined) continue;
    requireThat(
      readUnconfirmed(raw, chain).transaction === transaction,
      `another transaction was given than ${transaction}`,
    );
    bytes += raw.length;
    if (bytes > BYTES_MOST) return new Map();
    read.set(transaction, raw);
  }
  return read;
}

/** Undefined where the node does not have it. */
async function readPrevious(
  rpc: CoreRpc,
  { transaction, vout }: Pick<Coin, 'transaction' | 'vout'>,
): Promise<Buffer | undefined> {
  try {
    const inBlock = await blockOf(rpc, transaction, vout);
    // Named with its block it is found without an index of all transactions.
    const params = inBlock === undefined ? [transaction, false] : [transaction, false, inBlock];
    return requireBytes(await rpc.call('getrawtransaction', params), `transaction ${transaction}`);
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

/** The hash of its block; undefined while it waits for one, or when it is spent. */
async function blockOf(
  rpc: CoreRpc,
  transaction: string,
  vout: number,
): Promise<unknown | undefined> {
  const found = await rpc.call('gettxout', [transaction, vout]);
  if (found === null) return undefined;
  const { bestblock, confirmations } = requireFields(found, 'an unspent output');
  const depth = requireCount(confirmations, 'the depth of an output');
  if (depth === 0) return undefined;
  const header = requireFields(await rpc.call('getblockheader', [bestblock]), 'a header');
  const height = requireCount(header.height, 'a height');
  return rpc.call('getblockhash', [height - depth + 1]);
}
