import { chainOf } from '#catalog/chain.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { openHorizon } from './horizon.ts';
import { uriSigner } from './sign-payment-uri.ts';
import { STELLAR_CHAINS } from './stellar-chain.ts';
import { stellarNetwork } from './stellar-network.ts';
import type { StellarSettings } from './stellar-settings.ts';

export function openStellarNetworks(
  settings: StellarSettings | undefined,
  parts: NetworkParts,
): OpenedNetwork[] {
  if (settings === undefined) return [];
  const chain = chainOf('live', 'STELLAR');
  const { uri, account, chainName } = settings;
  const network = stellarNetwork({
    ...parts,
    chain,
    account,
    parameters: STELLAR_CHAINS[chainName],
    horizons: settings.horizonUrls.map((url) => openHorizon({ what: chain, url })),
    uriSigner: uri && uriSigner(uri.secret, uri.originDomain),
  });
  return [{ network, isTestChain: chainName !== 'main' }];
}
