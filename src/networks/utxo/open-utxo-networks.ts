import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Network } from '#deposit/network.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { openCoreRpc } from './json-rpc.ts';
import { UTXO_CHAINS } from './utxo-chain.ts';
import { utxoNetwork } from './utxo-network.ts';
import type { UtxoNodeSettings } from './utxo-settings.ts';

/** @throws Refusal that names the setting which is wrong. */
export function openUtxoNetworks(
  nodes: readonly UtxoNodeSettings[],
  parts: NetworkParts,
): OpenedNetwork[] {
  return nodes.map((node) => ({
    network: openNode(node, parts),
    isTestChain: node.chainName !== 'main',
    confirmations: node.confirmations,
  }));
}

function openNode(node: UtxoNodeSettings, { clock, log }: NetworkParts): Network {
  const chain = chainOf('live', node.network);
  const parameters = UTXO_CHAINS.find(
    ({ assetId, nodeChain }) =>
      assetId === getNetwork(node.network).defaultAssetId && nodeChain === node.chainName,
  );
  if (parameters === undefined) {
    throw new Refusal('invalid', 'settings_invalid', [
      `${node.network}_CHAIN: ${node.chainName} is not a chain of ${node.network}`,
    ]);
  }
  const url = new URL(node.rpcUrl);
  const credentials =
    node.rpcCookieFile === undefined
      ? { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
      : { cookiePath: node.rpcCookieFile };
  url.username = '';
  url.password = '';
  const rpc = openCoreRpc({ what: chain, url: url.href, credentials });
  try {
    return utxoNetwork({ chain, parameters, rpc, descriptor: node.descriptor, clock, log });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, code, details } = error;
    throw new Refusal(
      kind,
      code,
      details.map((detail) => `${node.network}_DESCRIPTOR: ${detail}`),
    );
  }
}
