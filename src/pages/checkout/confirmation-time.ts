// How long confirmations take on average: for people, never for a decision.
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';

/** 0 on simulated networks: they make a block every few seconds, whatever the real ones do. */
export function meanMinutes(chain: ChainId, confirmations: number): number {
  if (environmentOf(chain) === 'test') return 0;
  const { minutesToFinal, targetBlockSeconds } = getNetwork(networkOf(chain));
  return minutesToFinal ?? (targetBlockSeconds * confirmations) / 60;
}
