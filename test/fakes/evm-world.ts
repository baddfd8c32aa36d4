// A world of forged deposits over fake Ethereum nodes: one shop, and as many endpoints as told.
import { HDKey } from '@scure/bip32';
import { chainOf } from '#catalog/chain.ts';
import { openEvmAccount } from '#networks/evm/derive-address.ts';
import {
  EVM_NETWORKS,
  type EvmChain,
  type EvmNetworkId,
  evmChain,
} from '#networks/evm/evm-chain.ts';
import { evmNetwork } from '#networks/evm/evm-network.ts';
import { pinnedTokens } from '#networks/evm/evm-tokens.ts';
import { openEvmRpc, type PostText } from '#networks/evm/json-rpc.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import type { FakeEvmNode } from './evm-node.ts';

/** Of a seed that is in this file: no key of anybody. */
export const TEST_ACCOUNT = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;

export const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const DAI = 'DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F';
export const ETH = 'ETH:NATIVE';

export function contractOf(assetId: string): string {
  return assetId.slice(assetId.indexOf(':') + 1).toLowerCase();
}

/** Every pinned token of the network, with the decimals of the catalog. */
export function deployTokens(node: FakeEvmNode, network: EvmNetworkId = 'ETHEREUM'): void {
  for (const { contract, decimals } of pinnedTokens(network)) {
    const text = `0x${decimals.toString(16).padStart(64, '0')}`;
    node.tokens.set(contract, { code: '0x60', decimals: text });
  }
}

export type FakeEvmOptions = {
  readonly network?: EvmNetworkId;
  readonly posts: readonly PostText[];
  /** Those of a chain of one's own, unless others are given. */
  readonly parameters?: EvmChain;
  readonly safe?: string;
  readonly agreeAbove?: { readonly tokens: bigint; readonly coins: bigint };
};

export function openFakeEvm(options: FakeEvmOptions, parts: NetworkParts): OpenedNetwork {
  const { network = 'ETHEREUM', posts, agreeAbove = { tokens: 10_000n, coins: 3n } } = options;
  const chain = chainOf('live', network);
  const rpcs = posts.map((post, at) =>
    openEvmRpc({ what: chain, label: `endpoint ${at + 1}`, post, clock: parts.clock }),
  );
  return {
    isTestChain: true,
    network: evmNetwork({
      ...parts,
      chain,
      parameters: options.parameters ?? evmChain(network, 'dev'),
      rpcs,
      account: openEvmAccount(TEST_ACCOUNT),
      limits: agreeAbove,
      safe: options.safe,
      siblings: EVM_NETWORKS.filter((id) => id !== network).map((id) => chainOf('live', id)),
    }),
  };
}
