// Which coin or token of another network is paid for an asset of an anchor, and how much of it.
// Amounts of the anchor's asset are in units of 10^-7.
import { assert } from '#base/assert.ts';
import { type Asset, getAsset } from '#catalog/asset.ts';
import { listNetworks, type NetworkInfo } from '#catalog/network.ts';
import { divideUnits } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';

/** Digits after the point of everything that is issued on Stellar. */
export const ANCHORED_DECIMALS = 7;

/** Their addresses can be proven, and what an anchor may ask for beside one can be shown. */
export function listAnchorableNetworks(): NetworkInfo[] {
  return listNetworks().filter(({ knownBy }) => knownBy === 'address' || knownBy === 'tag');
}

/** The asset of the network that the anchor takes: of the same code, where there is one. */
export function findCarriedAsset(network: NetworkInfo, assetCode: string): string | undefined {
  return network.assets.find((id) => id.split(':')[0] === assetCode);
}

export function carriedAsset(network: NetworkInfo, assetId: string): Asset {
  const id = findCarriedAsset(network, getAsset(assetId).assetCode);
  assert(id !== undefined, `${network.id} does not carry ${assetId}`);
  return getAsset(id);
}

/** The smallest amount that can be sent there: 10 where it has six digits after the point. */
export function stepUnitsOf(network: NetworkInfo, assetId: string): bigint {
  return powerOfTen(Math.max(0, ANCHORED_DECIMALS - carriedAsset(network, assetId).decimals));
}

/** In units of what is paid there; up: who pays what a wallet shows has paid enough. */
export function carriedUnits(network: NetworkInfo, assetId: string, units: bigint): bigint {
  const { decimals } = carriedAsset(network, assetId);
  return divideUnits(units * powerOfTen(decimals), powerOfTen(ANCHORED_DECIMALS), 'up');
}
