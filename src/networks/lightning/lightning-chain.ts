// The chains under Lightning, as data. The prefix is the one of invoices (BOLT 11).

import {
  BITCOIN_MAIN,
  BITCOIN_REGTEST,
  BITCOIN_SIGNET,
  BITCOIN_TEST,
} from '#networks/utxo/utxo-chain.ts';

export type LightningChain = {
  readonly name: string;
  readonly prefix: string;
  /** Hash of the first block, which is the identity of the chain. */
  readonly genesisHash: string;
  /** False for a chain that is only as young as its last hand-made block. */
  readonly followsPeers: boolean;
};

export const LIGHTNING_CHAIN_NAMES = ['main', 'test', 'signet', 'regtest'] as const;
export type LightningChainName = (typeof LIGHTNING_CHAIN_NAMES)[number];

export const LIGHTNING_CHAINS: Readonly<Record<LightningChainName, LightningChain>> = {
  main: { name: 'main', prefix: 'bc', ...factsOf(BITCOIN_MAIN) },
  test: { name: 'test', prefix: 'tb', ...factsOf(BITCOIN_TEST) },
  signet: { name: 'signet', prefix: 'tbs', ...factsOf(BITCOIN_SIGNET) },
  regtest: { name: 'regtest', prefix: 'bcrt', ...factsOf(BITCOIN_REGTEST) },
};

function factsOf({ genesisHash, followsPeers }: typeof BITCOIN_MAIN) {
  return { genesisHash, followsPeers };
}
