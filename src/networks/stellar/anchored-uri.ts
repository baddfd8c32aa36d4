// What is paid on another network for an asset of an anchor: which coin or token there, and how a
// wallet is told to. Amounts of the anchor's asset are in units of 10^-7.
import { assert } from '#base/assert.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { listNetworks, type NetworkFamily, type NetworkInfo } from '#catalog/network.ts';
import type { Destination } from '#deposit/network.ts';
import { divideUnits } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';
import { coinUri, etherUri, tokenUri, xrplUri } from '#networks/payment-uri.ts';

const ANCHORED_DECIMALS = 7;

/** Their addresses can be proven, and what an anchor may ask for beside one can be shown. */
const ANCHORED_FAMILIES: readonly NetworkFamily[] = ['utxo', 'evm', 'xrpl'];

export function listAnchorableNetworks(): NetworkInfo[] {
  return listNetworks().filter(({ family }) => ANCHORED_FAMILIES.includes(family));
}

/** The asset of the network that the anchor takes: of the same code, where there is one. */
export function findCarriedAsset(network: NetworkInfo, assetCode: string): string | undefined {
  return network.assets.find((id) => id.split(':')[0] === assetCode);
}

/** The smallest amount that can be sent there: 10 where it has six digits after the point. */
export function stepUnitsOf(network: NetworkInfo, assetId: string): bigint {
  return powerOfTen(Math.max(0, ANCHORED_DECIMALS - carriedAsset(network, assetId).decimals));
}

export function anchoredUri(
  network: NetworkInfo,
  { address, destinationTag }: Pick<Destination, 'address' | 'destinationTag'>,
  assetId: string,
  units: bigint | undefined,
): string {
  const { assetIssuer, decimals } = carriedAsset(network, assetId);
  const carried = units === undefined ? undefined : carriedUnits(network, assetId, units);
  const { evmChainId, uriScheme } = network;
  if (network.family === 'xrpl') return xrplUri(address, destinationTag, carried, decimals);
  if (evmChainId === undefined) return coinUri(uriScheme ?? '', address, carried, decimals);
  return assetIssuer === NATIVE_ISSUER
    ? etherUri(address, evmChainId, carried)
    : tokenUri(assetIssuer, evmChainId, address, carried);
}

function carriedAsset(network: NetworkInfo, assetId: string) {
  const id = findCarriedAsset(network, getAsset(assetId).assetCode);
  assert(id !== undefined, `${network.id} does not carry ${assetId}`);
  return getAsset(id);
}

/** In units of what is paid there; up: who pays what a wallet shows has paid enough. */
export function carriedUnits(network: NetworkInfo, assetId: string, units: bigint): bigint {
  const { decimals } = carriedAsset(network, assetId);
  return divideUnits(units * powerOfTen(decimals), powerOfTen(ANCHORED_DECIMALS), 'up');
}
