// Which networks are simulated, and how fast: real ones would make a test wait. Every network of
// the catalog is, so that a test key shows all there is.

import { type ChainId, chainOf } from '#catalog/chain.ts';
import { getNetwork, type NetworkFamily } from '#catalog/network.ts';

export type SandboxChain = {
  readonly chain: ChainId;
  readonly family: NetworkFamily;
  /** Undefined where a payment is a block of its own, at once. */
  readonly blockSeconds: number | undefined;
};

const rows: readonly (readonly [network: string, blockSeconds: number | undefined])[] = [
  ['BITCOIN', 6],
  ['LITECOIN', 4],
  ['ETHEREUM', 3],
  ['STELLAR', 2],
  ['LIGHTNING', undefined],
  ['XRP_LEDGER', 2],
  ['BASE', 2],
  ['POLYGON', 2],
  ['ARBITRUM', 2],
  ['OPTIMISM', 2],
  ['SEPA', undefined],
  ['SWIFT', undefined],
  ['PIX', undefined],
];

export const SANDBOX_CHAINS: readonly SandboxChain[] = rows.map(([network, blockSeconds]) => {
  const { family } = getNetwork(network);
  return { chain: chainOf('test', network), family, blockSeconds };
});

const byChain = new Map(SANDBOX_CHAINS.map((sandbox) => [sandbox.chain, sandbox]));

/** Undefined for a chain that is not simulated. */
export function findSandboxChain(chain: ChainId): SandboxChain | undefined {
  return byChain.get(chain);
}
