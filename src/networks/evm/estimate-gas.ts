// How much gas calls are given, as a node estimates it at the last block.
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { isReverted } from './evm-tokens.ts';
import type { EvmRpc } from './json-rpc.ts';
import { quantityText, requireQuantity } from './read-values.ts';
import type { EvmCall } from './unsigned-transaction.ts';

/** Gas of a transfer of the coin to whoever is no contract; exactly that. */
export const PLAIN_GAS = 21_000n;
/** What takes more is no transfer. */
export const GAS_MOST = 500_000n;
/** A contract may take more when the time comes than it says now. */
const GAS_PERCENT = 125n;

type GasQuestion = EvmCall & { readonly from: string };

/**
 * Undefined for each that would fail. `blocks`: where it is tried, if not as the node pleases,
 * which may be with all that waits. @throws Outage, NodeLie
 */
export async function readGasLimits(
  rpc: EvmRpc,
  questions: readonly GasQuestion[],
  ...blocks: readonly 'latest'[]
): Promise<readonly (bigint | undefined)[]> {
  if (questions.length === 0) return [];
  const answers = await rpc.batch(
    questions.map(({ value, ...call }) => ({
      method: 'eth_estimateGas',
      params: [{ ...call, value: quantityText(value) }, ...blocks],
    })),
  );
  return questions.map((_, at) => {
    const answer = answers[at];
    if (answer?.ok !== true) {
      const failure = answer?.failure ?? new NodeLie('no answer about the gas');
      if (!(failure instanceof RpcFailure) || !isReverted(failure)) throw failure;
      return undefined;
    }
    const gas = requireQuantity(answer.result, 'the gas');
    return gas <= PLAIN_GAS ? PLAIN_GAS : (gas * GAS_PERCENT) / 100n;
  });
}
