// How long confirmations take on average: for people, never for a decision.
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';

/** Ethereum and its kin are final two epochs after a block, however fast the blocks are. */
const finalityMinutes = 15;

/** 0 on simulated networks: they make a block every few seconds, whatever the real ones do. */
export function meanMinutes(chain: ChainId, confirmations: number): number {
  if (environmentOf(chain) === 'test') return 0;
  const { family, targetBlockSeconds } = getNetwork(networkOf(chain));
  return family === 'evm' ? finalityMinutes : (targetBlockSeconds * confirmations) / 60;
}
