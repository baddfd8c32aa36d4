// What can be done in an environment of this installation, now: catalogues say nothing else.

import { type Asset, listAssets } from '#catalog/asset.ts';
import { chainOf, type Environment, environmentOf } from '#catalog/chain.ts';
import type { ApiApp } from './endpoint.ts';

type UsableApp = Pick<ApiApp, 'networks' | 'executors' | 'exposureLimitUsd'>;

export type UsableAsset = Pick<
  Asset,
  'checkouts' | 'deposits' | 'settlement' | 'swaps' | 'transfers'
> & { readonly asset: Asset };

export function usableAssets(app: UsableApp, environment: Environment): UsableAsset[] {
  const receivable = new Set(
    app.networks
      .values()
      .filter(({ chain }) => environmentOf(chain) === environment)
      .flatMap((network) => network.receivableAssets()),
  );
  // What converts is the house: with live keys only within a limit (decision 31).
  const converts = environment === 'test' || app.exposureLimitUsd !== undefined;
  return listAssets(environment).map((asset) => ({
    asset,
    checkouts: asset.checkouts && receivable.has(asset.id),
    deposits: asset.deposits && receivable.has(asset.id),
    settlement: asset.settlement && (converts || receivable.has(asset.id)),
    swaps: asset.swaps && converts,
    transfers:
      asset.transfers && asset.networks.some((id) => app.executors.has(chainOf(environment, id))),
  }));
}

/** A network that is not ready to credit offers nothing. */
export function canReceive(app: UsableApp, environment: Environment, networkId: string): boolean {
  const network = app.networks.get(chainOf(environment, networkId));
  return network !== undefined && network.receivableAssets().length > 0;
}
