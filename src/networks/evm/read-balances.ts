import { NodeLie } from '#networks/answer-fields.ts';
import type { BalancePlace } from './balance-look.ts';
import { balanceCall } from './evm-tokens.ts';
import type { EvmRpc, RpcCall } from './json-rpc.ts';
import { quantityText } from './read-values.ts';

const hexNumber = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * What addresses hold, each at a block; undefined for each whose state the node does not have.
 * `contractOf`: of tokens, by asset; what has none is the coin.
 * @throws NodeLie, Outage
 */
export async function readBalancesAt(
  rpc: EvmRpc,
  contractOf: ReadonlyMap<string, string>,
  places: readonly BalancePlace[],
): Promise<readonly (bigint | undefined)[]> {
  if (places.length === 0) return [];
  const calls = places.map(({ address, assetId, height }): RpcCall => {
    const block = quantityText(height);
    const contract = contractOf.get(assetId);
    return contract === undefined
      ? { method: 'eth_getBalance', params: [address, block] }
      : { method: 'eth_call', params: [balanceCall(contract, address), block] };
  });
  return (await rpc.batch(calls)).map((answer) => {
    if (!answer.ok) return undefined;
    const { result } = answer;
    if (typeof result === 'string' && hexNumber.test(result)) return BigInt(result);
    throw new NodeLie('a balance is no number');
  });
}
