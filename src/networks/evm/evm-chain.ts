// What tells one EVM chain from another, as data: `<NETWORK>_CHAIN` names a row. A node of another
// chain is refused before anything it says is believed.
//
// Sources: EIP-155 numbers from the catalog; genesis hashes from the chains' own specifications
// (go-ethereum params/config.go, reth chainspec for Base, op-geth for OP Mainnet after Bedrock,
// bor builder/files, Arbitrum Nitro).

import { assert } from '#base/assert.ts';
import { getNetwork } from '#catalog/network.ts';
import type { FeeBounds } from './decide-fee-caps.ts';

export const EVM_NETWORKS = ['ETHEREUM', 'BASE', 'POLYGON', 'ARBITRUM', 'OPTIMISM'] as const;
export type EvmNetworkId = (typeof EVM_NETWORKS)[number];

export const EVM_CHAIN_NAMES = ['main', 'dev'] as const;
export type EvmChainName = (typeof EVM_CHAIN_NAMES)[number];

export type EvmChain = {
  readonly network: EvmNetworkId;
  readonly chainName: EvmChainName;
  readonly name: string;
  readonly chainId: bigint;
  /** Undefined for a chain of one's own, where it is what the first node said. */
  readonly genesisHash: string | undefined;
  /** A last block older than this: the node no longer follows. Undefined: blocks as made. */
  readonly staleAfterSeconds: number | undefined;
  /**
   * A receipt may stand in a block without a transaction of its own: the state sync of Polygon.
   */
  readonly hasSystemReceipts: boolean;
  /** It takes something for the chain on which it stands, by an oracle of its own. */
  readonly isOpStack: boolean;
  /** How often a node is asked for its height while nothing happens. */
  readonly pollMs: number;
  /** What is offered for the gas of what leaves, unless the operator allows more. */
  readonly fees: FeeBounds;
};

type MainRow = Pick<
  EvmChain,
  'genesisHash' | 'staleAfterSeconds' | 'hasSystemReceipts' | 'isOpStack' | 'pollMs' | 'fees'
>;

const GWEI = 10n ** 9n;
const USUAL_FEES: FeeBounds = {
  leastPriorityFeePerGas: 1n,
  mostPriorityFeePerGas: 5n * GWEI,
  mostFeePerGas: 100n * GWEI,
};
/** Validators of Polygon take nothing below 25 gwei (bor, txpool.pricelimit). */
const POLYGON_FEES: FeeBounds = {
  leastPriorityFeePerGas: 25n * GWEI,
  mostPriorityFeePerGas: 500n * GWEI,
  mostFeePerGas: 2_000n * GWEI,
};

const MAIN: Readonly<Record<EvmNetworkId, MainRow>> = {
  ETHEREUM: {
    genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    staleAfterSeconds: 300,
    hasSystemReceipts: false,
    isOpStack: false,
    pollMs: 3_000,
    fees: USUAL_FEES,
  },
  BASE: {
    genesisHash: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
    staleAfterSeconds: 120,
    hasSystemReceipts: false,
    isOpStack: true,
    pollMs: 1_000,
    fees: USUAL_FEES,
  },
  POLYGON: {
    genesisHash: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
    staleAfterSeconds: 300,
    hasSystemReceipts: true,
    isOpStack: false,
    pollMs: 1_000,
    fees: POLYGON_FEES,
  },
  ARBITRUM: {
    genesisHash: '0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442',
    staleAfterSeconds: 120,
    hasSystemReceipts: false,
    isOpStack: false,
    pollMs: 1_000,
    fees: USUAL_FEES,
  },
  OPTIMISM: {
    genesisHash: '0x7ca38a1916c42007829c55e69d3e9a73265554b586a499015373241b8a3fa48b',
    staleAfterSeconds: 120,
    hasSystemReceipts: false,
    isOpStack: true,
    pollMs: 1_000,
    fees: USUAL_FEES,
  },
};

/** What anvil and Hardhat say they are. */
const DEV_CHAIN_ID = 31_337n;

/** `chainId`: of a chain of one's own, where it is not the usual one. */
export function evmChain(
  network: EvmNetworkId,
  chainName: EvmChainName,
  chainId?: bigint,
): EvmChain {
  const { name, evmChainId } = getNetwork(network);
  assert(evmChainId !== undefined, `${network} has a number`);
  if (chainName === 'main') {
    return { network, chainName, name, chainId: evmChainId, ...MAIN[network] };
  }
  return {
    network,
    chainName,
    name: `${name} (a chain of one's own)`,
    chainId: chainId ?? DEV_CHAIN_ID,
    genesisHash: undefined,
    staleAfterSeconds: undefined,
    hasSystemReceipts: MAIN[network].hasSystemReceipts,
    isOpStack: MAIN[network].isOpStack,
    pollMs: 250,
    fees: MAIN[network].fees,
  };
}
