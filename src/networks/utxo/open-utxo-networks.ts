import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { NodeWallet } from '#deposit/money-out.ts';
import type { Network } from '#deposit/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import {
  type NetworkParts,
  namingSetting,
  type OpenedNetwork,
} from '#networks/network-settings.ts';
import { coreWallet } from './core-wallet.ts';
import { openEsploraClient } from './esplora-client.ts';
import { esploraSources } from './esplora-sources.ts';
import { openCoreRpc } from './json-rpc.ts';
import { UTXO_CHAINS, type UtxoChain } from './utxo-chain.ts';
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
  const { descriptor, esploraUrls = [], singleSourceLimit, rpcUrl, rpcCookieFile } = node;
  const esplora = esploraUrls.map((url) => openEsploraClient(chain, url));
  const source =
    esplora.length === 0
      ? {
          rpc: openCoreRpc({ what: chain, url: rpcUrl, cookiePath: rpcCookieFile }),
          zmqUrl: node.zmqUrl,
          wallet: node.wallet && openWallet(node, node.wallet, parameters, chain),
        }
      : {
          rpc: esploraSources({ what: chain, clients: esplora, chain: parameters }),
          esplora,
          singleSourceUnits:
            singleSourceLimit === undefined
              ? undefined
              : amountFromText(singleSourceLimit, parameters.decimals),
          // A public server is asked no more often than blocks are looked for.
          mempoolPollMs: 5_000,
        };
  return namingSetting(`${node.network}_DESCRIPTOR`, () =>
    utxoNetwork({ chain, parameters, descriptor, clock, log, rates: node.rates, ...source }),
  );
}

function openWallet(
  { network, rpcUrl, rpcCookieFile }: UtxoNodeSettings,
  { name, perTransaction, perDay }: NonNullable<UtxoNodeSettings['wallet']>,
  { decimals }: UtxoChain,
  chain: ChainId,
): { readonly wallet: NodeWallet; close(): void } {
  const url = `${rpcUrl.replace(/\/$/, '')}/wallet/${encodeURIComponent(name)}`;
  const rpc = openCoreRpc({ what: chain, url, cookiePath: rpcCookieFile });
  const units = (text: string) => amountFromText(text, decimals) ?? 0n;
  const caps = { perTransactionUnits: units(perTransaction), perDayUnits: units(perDay) };
  const wallet = coreWallet({ rpc, chain, name, setting: `${network}_WALLET`, caps });
  return { wallet, close: () => rpc.close() };
}
