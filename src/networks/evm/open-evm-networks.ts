import { chainOf } from '#catalog/chain.ts';
import {
  type NetworkParts,
  namingSetting,
  type OpenedNetwork,
} from '#networks/network-settings.ts';
import { openEvmAccount } from './derive-address.ts';
import { EVM_NETWORKS, evmChain } from './evm-chain.ts';
import { evmNetwork } from './evm-network.ts';
import type { EvmNodeSettings } from './evm-settings.ts';
import { httpPost, openEvmRpc } from './json-rpc.ts';

/** @throws Refusal that names the setting which is wrong. */
export function openEvmNetworks(
  nodes: readonly EvmNodeSettings[],
  parts: NetworkParts,
): OpenedNetwork[] {
  return nodes.map((node) => {
    const chain = chainOf('live', node.network);
    const rpcs = node.rpcUrls.map((text, at) => {
      const url = new URL(text);
      // The host is no secret; the path and the user often are.
      const label = `endpoint ${at + 1} (${url.host})`;
      return openEvmRpc({ what: chain, label, ...httpPost(chain, label, url), clock: parts.clock });
    });
    const network = evmNetwork({
      ...parts,
      chain,
      parameters: evmChain(node.network, node.chainName, node.chainId),
      rpcs,
      account: namingSetting(`${node.network}_XPUB`, () => openEvmAccount(node.extendedPublicKey)),
      limits: node.agreeAbove,
      sweep: node.sweep,
      contractReceivers: node.contractReceivers,
      safe: node.safe,
      relayAccount: node.relayAccount,
      relayGasPercentMost: node.relayGasPercentMost,
      siblings: EVM_NETWORKS.filter((id) => id !== node.network).map((id) => chainOf('live', id)),
    });
    return { network, isTestChain: node.chainName !== 'main' };
  });
}
