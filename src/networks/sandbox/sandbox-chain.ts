// Which networks are simulated, and how fast: real ones would make a test wait. Every network of
// the catalog is, so that a test key shows all there is.

import { type ChainId, chainOf } from '#catalog/chain.ts';
import { listNetworks } from '#catalog/network.ts';

export type SandboxChain = {
  readonly chain: ChainId;
  /** Undefined where a payment is a block of its own, at once. */
  readonly blockSeconds: number | undefined;
};

export const SANDBOX_CHAINS: readonly SandboxChain[] = listNetworks().map(
  ({ id, simulatedBlockSeconds }) => ({
    chain: chainOf('test', id),
    blockSeconds: simulatedBlockSeconds,
  }),
);

const BY_CHAIN = new Map(SANDBOX_CHAINS.map((sandbox) => [sandbox.chain, sandbox]));

/** Undefined for a chain that is not simulated. */
export function findSandboxChain(chain: ChainId): SandboxChain | undefined {
  return BY_CHAIN.get(chain);
}
