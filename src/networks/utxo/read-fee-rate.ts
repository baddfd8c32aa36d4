// The fee rate that is paid now: what the node estimates, between what it relays and what the
// operator pays at most.
import type { Refusal } from '#base/refusal.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { isFields, RpcFailure, requireFields } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { boundFeeRate } from './bound-fee-rate.ts';
import { type CoreRpc, RPC_METHOD_MISSING } from './json-rpc.ts';
import { relayPolicy } from './relay-policy.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** Units for a virtual byte, as the operator set them. */
export type FeeRateLimits = {
  /** Paid where the node has no estimate; undefined: nothing is sent then. */
  readonly feeRateElse: bigint | undefined;
  readonly feeRateMost: bigint;
};

export const USUAL_FEE_RATES: FeeRateLimits = { feeRateElse: undefined, feeRateMost: 1_000n };

/** Blocks in which it is to be mined: what somebody waits for, and what has time. */
const SOON_BLOCKS = 6;
export const SLOW_BLOCKS = 144;
export const UNITS_PER_RATE = 1_000n;

/** In units for 1,000 virtual bytes. @throws Refusal conflict that says what is missing. */
export async function readFeeRate(
  rpc: CoreRpc,
  chain: UtxoChain,
  { feeRateElse, feeRateMost }: FeeRateLimits = USUAL_FEE_RATES,
  blocks: number = SOON_BLOCKS,
): Promise<bigint> {
  const answer = requireFields(await rpc.call('estimatesmartfee', [blocks]), 'the fee rate');
  const { leastRate: lowest } = relayPolicy(chain.assetId);
  const relayed = rateOf(await readMempool(rpc), chain) ?? lowest;
  const leastRate = relayed > lowest ? relayed : lowest;
  const mostRate = feeRateMost * UNITS_PER_RATE;
  const bounded = boundFeeRate(rateOf(answer.feerate, chain), { leastRate, mostRate });
  if ('rate' in bounded) return bounded.rate;
  if (bounded.refused === 'above-most') throw tooDear(chain, feeRateMost);
  if (feeRateElse !== undefined) return boundedElse(feeRateElse * UNITS_PER_RATE, leastRate);
  // Whoever makes the blocks of such a chain takes what the node relays.
  if (!chain.followsPeers) return leastRate;
  throw refusedDraft(
    'the node has no estimate of the fee yet: give one with --fee-rate, or set ' +
      `${networkName(chain)}_FEE_RATE`,
  );
}

function boundedElse(rate: bigint, leastRate: bigint): bigint {
  return rate > leastRate ? rate : leastRate;
}

/** The minimum of its mempool, where the node has one: servers of Esplora do not say. */
async function readMempool(rpc: CoreRpc): Promise<unknown> {
  try {
    const info = await rpc.call('getmempoolinfo');
    return isFields(info) ? info.mempoolminfee : undefined;
  } catch (error) {
    if (error instanceof RpcFailure && error.code === RPC_METHOD_MISSING) return undefined;
    throw error;
  }
}

/** Nodes write coins for 1,000 virtual bytes. */
function rateOf(value: unknown, { decimals }: UtxoChain): bigint | undefined {
  return typeof value === 'string' ? amountFromText(value, decimals) : undefined;
}

function networkName({ assetId }: UtxoChain): string {
  return assetId === 'BTC:NATIVE' ? 'BITCOIN' : 'LITECOIN';
}

function tooDear(chain: UtxoChain, feeRateMost: bigint): Refusal {
  return refusedDraft(
    `the node relays nothing for ${feeRateMost} units a virtual byte now, which is the most that ` +
      `is paid (${networkName(chain)}_FEE_RATE_MOST): wait, or give a rate with --fee-rate`,
  );
}
