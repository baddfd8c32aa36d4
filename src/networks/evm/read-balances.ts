import { NodeLie } from '#networks/answer-fields.ts';
import type { RpcCall } from '#networks/json-rpc.ts';
import type { BalancePlace } from './balance-look.ts';
import { balanceCall, isReverted } from './evm-tokens.ts';
import { type EvmRpc, kindOfRefusal } from './json-rpc.ts';
import { quantityText } from './read-values.ts';

const HEX_NUMBER = /^0x[0-9a-fA-F]{1,64}$/;
const HEX_DATA = /^0x[0-9a-fA-F]*$/;

/**
 * What addresses hold, each at a block; undefined for each whose state the node does not have. Of a
 * token whose contract fails, or answers with something else than a number, nobody holds anything:
 * that stops the payments in it, and no others. `contractOf`: of tokens, by asset; what has none is
 * the coin.
 * @throws NodeLie, Outage, RpcFailure
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
  const answers = await rpc.batch(calls);
  return answers.map((answer, at) => {
    const isToken = calls[at]?.method === 'eth_call';
    if (answer.ok) {
      const { result } = answer;
      if (typeof result === 'string' && HEX_NUMBER.test(result)) return BigInt(result);
      if (isToken && typeof result === 'string' && HEX_DATA.test(result)) return 0n;
      throw new NodeLie('a balance is no number');
    }
    if (isToken && isReverted(answer.failure)) return 0n;
    if (kindOfRefusal(answer.failure) === 'state') return undefined;
    throw answer.failure;
  });
}
