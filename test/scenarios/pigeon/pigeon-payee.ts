// Every customer writes to a roost of their own in our loft: `<loft>/<number>`.

import { getAsset } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import { addressAlone } from '#networks/destination.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { coinUri } from '#networks/payment-uri.ts';

export function pigeonPayee(chain: ChainId, loft: string): PurePayee {
  return {
    chain,
    addressSource: `roosts of ${loft}`,
    openDestination: ({ index }) => addressAlone(`${loft}/${index}`),
    canonicalAddress: (text) => pigeonAddress(chain, text),
    paymentUri: ({ address }, assetId, units) =>
      coinUri('pigeon', address, units, getAsset(assetId).decimals),
  };
}

export function simulatedPigeonPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  return pigeonPayee(chain, `sandbox${seed.toHex().replaceAll(/\d/g, '')}`);
}

export function pigeonAddress(_chain: ChainId, text: string): string | undefined {
  return /^[a-z]+\/\d{1,10}$/.test(text) ? text : undefined;
}
