// Which of the assets that a network receives a checkout offers, where the same coin can come by
// itself or through an anchor, and where a merchant prefers one (service.md, `anchors`). Pure. A
// preference that cannot be followed stops no sale: it is as if it had not been said, and the
// answer says so.

import { findAsset, getAsset } from '#catalog/asset.ts';
import { findNetwork } from '#catalog/network.ts';

export type AnchorPreference = {
  readonly network: string;
  readonly assetId: string;
  /** The field of the request, for sentences. */
  readonly field: 'anchors' | 'blockchainRelays';
  /** What stood there, where it was an issuer. */
  readonly given: string;
};

/** Of what can be received on the network now, in that order. */
export function offeredAssets(
  receivable: readonly string[],
  preference: Pick<AnchorPreference, 'assetId'> | undefined,
): string[] {
  const preferred = receivable.find((id) => id === preference?.assetId);
  const usable = receivable.map(getAsset).filter(({ checkouts }) => checkouts);
  const codes = new Set(usable.filter(({ bridge }) => !bridge).map(({ assetCode }) => assetCode));
  const isBridgeWanted = preferred !== undefined && getAsset(preferred).bridge;
  const wantedCode = isBridgeWanted ? getAsset(preferred).assetCode : undefined;
  return usable
    .filter(({ id, bridge, assetCode }) => {
      if (isBridgeWanted) return bridge ? id === preferred : assetCode !== wantedCode;
      // A coin that can come by itself needs no anchor, unless the merchant prefers one.
      return !bridge || !codes.has(assetCode);
    })
    .map(({ id }) => id);
}

/** Why it is not followed, in one sentence for the merchant; undefined when it is. */
export function faultOfPreference(
  { network, assetId, field, given }: AnchorPreference,
  receivable: readonly string[],
): string | undefined {
  if (receivable.includes(assetId)) return undefined;
  const where = `${field}.${network}`;
  if (findNetwork(network) === undefined) {
    return `${where}: is not a network of GET /networks; it was ignored`;
  }
  const known = findAsset(assetId)?.networks.includes(network) === true;
  const reason = known ? 'cannot be received now' : 'is none of its assets';
  const instead = receivable.length > 0 ? 'the usual way is offered instead' : 'it was ignored';
  return `${where}: ${given} ${reason}; ${instead}`;
}
