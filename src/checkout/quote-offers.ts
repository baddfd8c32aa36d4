// Which ways to pay a charge there are right now, and what each costs: at creation of all of them,
// at commit of the one that was chosen.

import type { MerchantTerms } from '#access/caller.ts';
import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset, isWithinRisk, shownAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork, listNetworks, type NetworkInfo } from '#catalog/network.ts';
import { type Way, wayName } from '#catalog/way.ts';
import {
  type AnchorPreference,
  faultOfPreference,
  offeredAssets,
} from '#charge/checkout-request.ts';
import type { Reader } from '#db/db.ts';
import type { Network, Passage } from '#deposit/network.ts';
import type { Decimal } from '#money/decimal.ts';
import { createQuoter, ORIGIN, type Quote, quotePayment } from '#rates/quote.ts';
import type { RateBook } from '#rates/rate-book.ts';
import {
  type Conversion,
  type Cover,
  type ExposureApp,
  NOTHING_CONVERTED,
  openCover,
} from '#treasury/exposure.ts';
import type { Checkout } from './checkout.ts';
import type { Offer, WithheldOffer } from './offer.ts';

export type QuoteOffersApp = ExposureApp & {
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<string, Network>;
};

type OfferRequest = {
  readonly total: Decimal;
  readonly billingCurrency: string;
  readonly settlementAsset: string;
  readonly feePartsPerMillion: number;
  readonly anchors?: readonly AnchorPreference[] | undefined;
  readonly now: Temporal.Instant;
};

/**
 * Every network and asset that can be received in the environment of the caller and that he did not
 * switch off, in his order, and after it in that of the catalogue.
 */
export async function quoteOffers(
  app: QuoteOffersApp & { readonly db: Reader },
  owner: Pick<
    MerchantTerms,
    'merchantId' | 'environment' | 'riskTolerance' | 'methodOrder' | 'methodsOff'
  >,
  request: OfferRequest,
): Promise<{ offers: Offer[]; withheld: WithheldOffer[]; warnings: string[] }> {
  const { anchors = [] } = request;
  const offers: Offer[] = [];
  const withheld: WithheldOffer[] = [];
  // Money that is credited in the asset it arrives in is not converted, so nobody guarantees a
  // price.
  const cover: Cover =
    request.settlementAsset === ORIGIN
      ? NOTHING_CONVERTED
      : await openCover(app, app.db, owner, request.now);
  const { environment } = owner;
  const quoteWay = createQuoter({ ...request, environment, book: app.rates });
  for (const { chain, info } of listChains(environment)) {
    const { id: network } = info;
    const adapter = app.networks.get(chain);
    if (adapter === undefined) continue;
    for (const { assetId, reason } of adapter.closedWays?.() ?? []) {
      withheld.push({ network, assetId, reason });
    }
    const preference = anchors.find((one) => one.network === network);
    for (const assetId of offeredAssets(adapter.receivableAssets(), preference)) {
      if (!isWithinRisk(getAsset(assetId), owner.riskTolerance)) continue;
      if (owner.methodsOff.length > 0 && isSwitchedOff(owner, { network, assetId })) continue;
      const quote = quoteWay({
        paymentAssetId: assetId,
        spreadPartsPerMillion: cover.spreadPartsPerMillion(assetId, request.settlementAsset),
        arrivingOf: arrivingBy(adapter, assetId),
      });
      if (quote.kind !== 'quoted') {
        withheld.push({ network, assetId, reason: quote.reason });
        continue;
      }
      const passage = adapter.passage?.(assetId, quote.arrivingUnits);
      const offer = offerOf({ network, assetId }, quote, passage);
      const found =
        (cover === NOTHING_CONVERTED ? undefined : cover.reasonAgainst(fullConversion(offer))) ??
        reasonNotReceivable(adapter, info, offer, passage);
      // Hardly any network is asked: waiting for each would cost more than quoting it.
      const reason = found instanceof Promise ? await found : found;
      if (reason === undefined) offers.push(offer);
      else withheld.push({ network, assetId, reason });
    }
  }
  const warnings = anchors.flatMap((preference) => {
    const adapter = app.networks.get(chainOf(owner.environment, preference.network));
    return faultOfPreference(preference, adapter?.receivableAssets() ?? []) ?? [];
  });
  return { offers: inOrder(offers, owner.methodOrder), withheld, warnings };
}

type Chain = { readonly chain: ChainId; readonly info: NetworkInfo };

const CHAINS: { [One in Environment]?: readonly Chain[] } = {};

/** Of each network of the catalogue, which never changes. */
function listChains(environment: Environment): readonly Chain[] {
  CHAINS[environment] ??= listNetworks().map((info) => {
    return { chain: chainOf(environment, info.id), info };
  });
  return CHAINS[environment];
}

function isSwitchedOff({ methodsOff }: Pick<MerchantTerms, 'methodsOff'>, way: Way): boolean {
  return methodsOff.includes(wayName(way));
}

function offerOf(
  { network, assetId }: Way,
  quote: Quote & { readonly kind: 'quoted' },
  passage: Passage | undefined,
): Offer {
  return {
    network,
    assetId,
    askedUnits: askedUnitsOf(passage, quote.arrivingUnits),
    arrivingUnits: quote.arrivingUnits,
    settlementAssetId: quote.settlementAssetId,
    settlementUnits: quote.settlementUnits,
    netUnits: quote.netUnits,
    feeUnits: quote.feeUnits,
    rateIds: quote.rateIds,
    paymentToSettlement: quote.paymentToSettlement,
  };
}

function inOrder(offers: Offer[], order: readonly string[]): Offer[] {
  if (order.length === 0) return offers;
  const placeOf = (offer: Offer) => {
    const place = order.indexOf(wayName(offer));
    return place === -1 ? order.length : place;
  };
  return offers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** What a payment in full would convert. */
export function fullConversion(
  offer: Pick<Offer, 'assetId' | 'arrivingUnits' | 'settlementAssetId' | 'settlementUnits'>,
): Conversion {
  return {
    from: { assetId: offer.assetId, units: offer.arrivingUnits },
    to: { assetId: offer.settlementAssetId, units: offer.settlementUnits },
  };
}

/** Only a network with a limit of its own is asked (Lightning); it answers from memory. */
function reasonNotReceivable(
  network: Network,
  info: NetworkInfo,
  { assetId, arrivingUnits: units }: Pick<Offer, 'assetId' | 'arrivingUnits'>,
  passage: Passage | undefined,
): Promise<string | undefined> | string | undefined {
  if (passage?.kind === 'refused') return passage.reason;
  const tooSmall = reasonNotRelayed(info, units);
  if (tooSmall !== undefined) return tooSmall;
  const { mostUnits } = info;
  if (mostUnits !== undefined && units > mostUnits) return 'more than the network can carry';
  if (network.receivableUnitsMost === undefined) return undefined;
  return reasonBeyondMost(network, assetId, units);
}

async function reasonBeyondMost(
  network: Network,
  assetId: string,
  units: bigint,
): Promise<string | undefined> {
  try {
    const most = await network.receivableUnitsMost?.(assetId);
    if (most === undefined) return undefined;
    return units > most ? 'more than can be received at once right now' : undefined;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return 'the network cannot be reached right now';
  }
}

/** Nodes drop a payment that would cost more to spend than it is worth. */
function reasonNotRelayed(
  { leastUnits }: Pick<NetworkInfo, 'leastUnits'>,
  units: bigint,
): string | undefined {
  if (leastUnits === undefined || units >= leastUnits) return undefined;
  return 'less than the network relays';
}

/** What arrives of the least that can be sent; as it is where nothing can be sent (`passage`). */
function arrivingBy(network: Network, assetId: string): ((units: bigint) => bigint) | undefined {
  if (network.passage === undefined) return undefined;
  return (units) => {
    const passage = network.passage?.(assetId, units);
    return passage?.kind === 'passes' ? passage.arrivingUnits : units;
  };
}

function askedUnitsOf(passage: Passage | undefined, arrivingUnits: bigint): bigint {
  return passage?.kind === 'passes' ? passage.askedUnits : arrivingUnits;
}

/** The amounts shown at creation while they hold, then those of now (money.md, Quotes). */
export async function bindingAmounts(
  app: ExposureApp,
  reader: Reader,
  checkout: Checkout,
  network: Network,
  offer: Offer,
  now: Temporal.Instant,
): Promise<Offer> {
  if (Temporal.Instant.compare(now, checkout.quotedUntil) <= 0) return offer;
  const { settlementAsset } = checkout;
  const cover =
    settlementAsset === ORIGIN ? NOTHING_CONVERTED : await openCover(app, reader, checkout, now);
  const quote = quotePayment({
    environment: checkout.environment,
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    paymentAssetId: offer.assetId,
    settlementAsset,
    spreadPartsPerMillion: cover.spreadPartsPerMillion(offer.assetId, settlementAsset),
    feePartsPerMillion: checkout.feePartsPerMillion,
    arrivingOf: arrivingBy(network, offer.assetId),
    book: app.rates,
    now,
  });
  if (quote.kind === 'unavailable') throw new Outage(`rate (${quote.reason})`);
  const { kind: _, ...amounts } = quote;
  assert(amounts.netUnits > 0n, 'a quoted method credits something');
  const passage = network.passage?.(offer.assetId, amounts.arrivingUnits);
  const refused =
    passage?.kind === 'refused'
      ? passage.reason
      : reasonNotRelayed(getNetwork(offer.network), amounts.arrivingUnits);
  if (refused !== undefined) {
    throw new Refusal('conflict', 'amount_not_receivable', [`network: ${refused}`]);
  }
  return { ...offer, ...amounts, askedUnits: askedUnitsOf(passage, amounts.arrivingUnits) };
}

// Which of the offers of a checkout a request to commit means. Pure.

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
