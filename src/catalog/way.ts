// A way to pay: a network and an asset on it, as it stands in the settings of an account.

import { findAsset, getAsset, isWithinRisk, type RiskLevel } from './asset.ts';
import { type ChainId, chainOf, type Environment } from './chain.ts';
import { findNetwork, listNetworks } from './network.ts';

export type Way = { readonly network: string; readonly assetId: string };

export function wayName({ network, assetId }: Way): string {
  return `${network} ${assetId}`;
}

/** Whether there is such a way at all, received here now or not. */
export function isWayName(name: string): boolean {
  const [network = '', assetId = '', ...rest] = name.split(' ');
  const isOne = findNetwork(network)?.assets.includes(assetId) === true && rest.length === 0;
  return isOne && findAsset(assetId)?.checkouts === true;
}

/** The networks there are, as far as this looks at them. */
export type ReceivingNetworks = {
  get(chain: ChainId): { receivableAssets(): readonly string[] } | undefined;
};

/** What can be received now and is not too risky, as the catalogue has it. */
export function listWaysNow(
  networks: ReceivingNetworks,
  environment: Environment,
  risk: RiskLevel,
): Way[] {
  return listNetworks().flatMap(({ id: network }) =>
    (networks.get(chainOf(environment, network))?.receivableAssets() ?? [])
      .filter((assetId) => {
        const asset = getAsset(assetId);
        return asset.checkouts && isWithinRisk(asset, risk);
      })
      .map((assetId) => ({ network, assetId })),
  );
}
