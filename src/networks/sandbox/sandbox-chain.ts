// Which networks are simulated, and how fast: real ones would make a test wait.

import { type ChainId, chainOf } from '#catalog/chain.ts';

export type SandboxChain = {
  readonly chain: ChainId;
  readonly family: 'utxo' | 'evm' | 'stellar' | 'lightning';
  /** Undefined where a payment is a block of its own, at once. */
  readonly blockSeconds: number | undefined;
};

export const SANDBOX_CHAINS: readonly SandboxChain[] = [
  { chain: chainOf('test', 'BITCOIN'), family: 'utxo', blockSeconds: 6 },
  { chain: chainOf('test', 'LITECOIN'), family: 'utxo', blockSeconds: 4 },
  { chain: chainOf('test', 'ETHEREUM'), family: 'evm', blockSeconds: 3 },
  { chain: chainOf('test', 'STELLAR'), family: 'stellar', blockSeconds: 2 },
  { chain: chainOf('test', 'LIGHTNING'), family: 'lightning', blockSeconds: undefined },
];

const byChain = new Map(SANDBOX_CHAINS.map((sandbox) => [sandbox.chain, sandbox]));

/** Undefined for a chain that is not simulated. */
export function findSandboxChain(chain: ChainId): SandboxChain | undefined {
  return byChain.get(chain);
}
