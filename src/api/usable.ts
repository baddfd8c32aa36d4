// What can be done in an environment of this installation, now: catalogues say nothing else.

import type { Caller } from '#account/caller.ts';
import { type Asset, listAssets } from '#catalog/asset.ts';
import { chainOf, environmentOf } from '#catalog/chain.ts';
import { isWithinRisk } from '#catalog/risk.ts';
import type { ApiApp } from './endpoint.ts';

type UsableApp = Pick<ApiApp, 'networks' | 'executors' | 'exposureLimitUsd'>;

export type UsableAsset = Pick<
  Asset,
  'checkouts' | 'deposits' | 'settlement' | 'swaps' | 'transfers'
> & { readonly asset: Asset };

/** Whose catalogue: what differs from account to account is the risk it takes. */
export type CatalogueOwner = Pick<Caller, 'environment' | 'riskTolerance'>;

export function usableAssets(
  app: UsableApp,
  { environment, riskTolerance }: CatalogueOwner,
): UsableAsset[] {
  const receivable = new Set(
    app.networks
      .values()
      .filter(({ chain }) => environmentOf(chain) === environment)
      .flatMap((network) => network.receivableAssets()),
  );
  // What converts is the house: with live keys only within a limit (decision 31).
  const converts = environment === 'test' || app.exposureLimitUsd !== undefined;
  const taken = (asset: Asset) => isWithinRisk(asset, riskTolerance);
  return listAssets(environment).map((asset) => ({
    asset,
    checkouts: asset.checkouts && receivable.has(asset.id) && taken(asset),
    deposits: asset.deposits && receivable.has(asset.id) && taken(asset),
    settlement: asset.settlement && (converts || receivable.has(asset.id)) && taken(asset),
    swaps: asset.swaps && converts && taken(asset),
    transfers:
      asset.transfers && asset.networks.some((id) => app.executors.has(chainOf(environment, id))),
  }));
}

/** A network that is not ready to credit offers nothing. */
export function canReceive(
  app: UsableApp,
  { environment }: CatalogueOwner,
  networkId: string,
): boolean {
  const network = app.networks.get(chainOf(environment, networkId));
  return network !== undefined && network.receivableAssets().length > 0;
}
