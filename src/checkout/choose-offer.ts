// Which of the offers of a checkout a request to commit means. Pure.

import { Refusal } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Checkout, Offer } from './checkout.ts';

export type OfferChoice = {
  readonly network?: string | undefined;
  readonly asset?: string | undefined;
  /** Older clients name the payment method by its asset code alone. */
  readonly assetCode?: string | undefined;
};

/** The offered method that the request names; several that fit need the asset as well. */
export function chooseOffer(checkout: Pick<Checkout, 'offers'>, request: OfferChoice): Offer {
  const { network, asset, assetCode } = request;
  const fitting = checkout.offers.filter(
    (offer) =>
      (network === undefined || offer.network === network) &&
      (asset === undefined || offer.assetId === asset) &&
      (assetCode === undefined || isCalled(offer, assetCode)),
  );
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0];
  if (network !== undefined && asset === undefined && fitting.length > 1) {
    const usual = defaultAsset(network);
    // Where its anchor is preferred, the same coin comes as another asset.
    const preferred =
      fitting.find((offer) => offer.assetId === usual) ??
      fitting.find((offer) => isCalled(offer, shownAsset(network, usual).assetCode));
    if (preferred !== undefined) return preferred;
  }
  if (network === undefined && assetCode !== undefined && fitting[0] !== undefined) {
    return fitting[0];
  }
  throw unknownMethod(checkout, request, fitting.length);
}

function isCalled(offer: Offer, assetCode: string): boolean {
  return shownAsset(offer.network, offer.assetId).assetCode === assetCode;
}

function defaultAsset(network: string): string {
  return getNetwork(network).defaultAssetId;
}

function unknownMethod(
  checkout: Pick<Checkout, 'offers'>,
  request: OfferChoice,
  fitting: number,
): Refusal {
  const offered = checkout.offers.map((offer) => `${offer.network} ${offer.assetId}`).join(', ');
  if (fitting > 1) {
    return new Refusal('invalid', 'asset_required', [
      `asset: the network supports several assets, name one of: ${offered}`,
    ]);
  }
  const field = request.network === undefined ? 'assetCode' : 'network';
  return new Refusal('invalid', 'payment_method_unknown', [
    `${field}: not a payment method of this checkout; offered are: ${offered}`,
  ]);
}
