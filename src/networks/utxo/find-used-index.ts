// How far an account was paid, where nobody wrote it down: by what stands unspent at its addresses.

import type { Log } from '#base/log.ts';
import { RpcFailure } from '#networks/answer-fields.ts';
import type { CoreRpc } from './json-rpc.ts';
import type { RawChain } from './read-transaction.ts';
import { scanScripts } from './scan-holdings.ts';
import type { UtxoChain } from './utxo-chain.ts';
import type { UtxoPayee } from './utxo-payee.ts';

type Account = {
  readonly payee: Pick<UtxoPayee, 'addressSource' | 'addressAt'>;
  readonly rawChain: RawChain & Pick<UtxoChain, 'decimals' | 'mostUnits'>;
  readonly log: Log;
};

/** More than a wallet would look ahead. */
const LOOKED_AHEAD = 1_000n;

/**
 * The highest index from this one on that holds something; undefined when none does, or the
 * operator does not let us ask. @throws NodeLie or Outage
 */
export async function findUsedIndex(
  rpc: CoreRpc,
  { payee, rawChain, log }: Account,
  from: bigint,
): Promise<bigint | undefined> {
  const last = from + LOOKED_AHEAD - 1n;
  let scripts: readonly string[];
  try {
    scripts = await scanScripts(rpc, payee.addressSource, [from, last], rawChain);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    log.warn('what was paid before cannot be asked', { reason: error.message });
    return undefined;
  }
  const held = new Set(
    scripts.map((script) => rawChain.readAddress(Buffer.from(script, 'hex')) ?? ''),
  );
  for (let index = last; held.size > 0 && index >= from; index -= 1n) {
    if (held.has(payee.addressAt(index))) return index;
  }
  return undefined;
}
