// What stands unspent at our addresses, as the node's own set of unspent outputs has it
// (scantxoutset, since Bitcoin Core 0.17). Confirmed only; takes minutes on a full chain.
import { amountFromText } from '#money/asset-amount.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import type { CoreRpc } from './json-rpc.ts';
import { requireRecord } from './require-answer.ts';
import type { UtxoChain } from './utxo-chain.ts';

const TIMEOUT_MS = 30 * 60_000;

/** In units, at the indexes below `issued`. @throws NodeLie, RpcFailure or Outage */
export async function scanHoldings(
  rpc: CoreRpc,
  descriptor: string,
  issued: bigint,
  { decimals, mostUnits }: Pick<UtxoChain, 'decimals' | 'mostUnits'>,
): Promise<bigint> {
  if (issued === 0n) return 0n;
  const scanned = { desc: descriptor, range: Number(issued - 1n) };
  const params = ['start', [scanned]];
  const answer = await rpc.call('scantxoutset', params, { timeoutMs: TIMEOUT_MS });
  const { success, total_amount: total } = requireRecord(answer, 'the unspent outputs');
  if (success !== true) throw new NodeLie('the unspent outputs were not looked through');
  // Text by quoteAmounts; a number would have lost digits.
  const units = typeof total === 'string' ? amountFromText(total, decimals) : undefined;
  if (units === undefined || units < 0n || units > mostUnits) {
    throw new NodeLie('the sum of the unspent outputs is no amount');
  }
  return units;
}
