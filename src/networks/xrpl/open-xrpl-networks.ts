import { chainOf } from '#catalog/chain.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { XRPL_CHAINS } from './xrpl-chain.ts';
import { xrplNetwork } from './xrpl-network.ts';
import { openXrplServer } from './xrpl-server.ts';
import type { XrplSettings } from './xrpl-settings.ts';

export function openXrplNetworks(
  settings: XrplSettings | undefined,
  parts: NetworkParts,
): OpenedNetwork[] {
  if (settings === undefined) return [];
  const chain = chainOf('live', 'XRP_LEDGER');
  const { account, chainName } = settings;
  const network = xrplNetwork({
    ...parts,
    chain,
    account,
    parameters: XRPL_CHAINS[chainName],
    servers: settings.urls.map((url) => openXrplServer({ what: chain, url })),
  });
  return [{ network, isTestChain: chainName !== 'main' }];
}
