// Which ways to pay a charge there are right now, and what each costs: at creation of all of them,
// at commit of the one that was chosen.

import type { Caller } from '#account/caller.ts';
import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork, listNetworks } from '#catalog/network.ts';
import { isWithinRisk } from '#catalog/risk.ts';
import type { Reader } from '#db/db.ts';
import type { Network, Passage } from '#deposit/network.ts';
import type { Decimal } from '#money/decimal.ts';
import { type Conversion, type Cover, type ExposureApp, openCover } from '#rates/exposure.ts';
import { ORIGIN, quotePayment, type RateBook } from '#rates/quote.ts';
import type { Checkout, Offer, WithheldOffer } from './checkout.ts';
import { type AnchorPreference, faultOfPreference, offeredAssets } from './prefer-anchors.ts';

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
 * Every network and asset that can be received in the environment of the caller, in catalog order.
 */
export async function quoteOffers(
  app: QuoteOffersApp & { readonly db: Reader },
  owner: Pick<Caller, 'environment' | 'riskTolerance'>,
  request: OfferRequest,
): Promise<{ offers: Offer[]; withheld: WithheldOffer[]; warnings: string[] }> {
  const { anchors = [] } = request;
  const offers: Offer[] = [];
  const withheld: WithheldOffer[] = [];
  // What is credited as it arrives is nobody's promise.
  const cover: Cover =
    request.settlementAsset === ORIGIN
      ? () => undefined
      : await openCover(app, app.db, owner.environment, request.now);
  for (const { id: network } of listNetworks()) {
    const adapter = app.networks.get(chainOf(owner.environment, network));
    if (adapter === undefined) continue;
    for (const { assetId, reason } of adapter.closedWays?.() ?? []) {
      withheld.push({ network, assetId, reason });
    }
    const preference = anchors.find((one) => one.network === network);
    for (const assetId of offeredAssets(adapter.receivableAssets(), preference)) {
      if (!isWithinRisk(getAsset(assetId), owner.riskTolerance)) continue;
      const quote = quotePayment({
        ...request,
        environment: owner.environment,
        paymentAssetId: assetId,
        arrivingUnits: arrivingBy(adapter, assetId),
        book: app.rates,
      });
      const passage =
        quote.kind === 'quoted' ? adapter.passage?.(assetId, quote.paymentUnits) : undefined;
      const reason =
        quote.kind === 'quoted'
          ? (cover(fullConversion({ ...quote, assetId })) ??
            (await reasonNotReceivable(adapter, assetId, quote.paymentUnits, passage)))
          : quote.reason;
      if (reason !== undefined) withheld.push({ network, assetId, reason });
      else if (quote.kind === 'quoted') {
        const sentUnits = sentUnitsOf(passage, quote.paymentUnits);
        offers.push({ network, assetId, ...quoteFacts(quote), sentUnits });
      }
    }
  }
  const warnings = anchors.flatMap((preference) => {
    const adapter = app.networks.get(chainOf(owner.environment, preference.network));
    return faultOfPreference(preference, adapter?.receivableAssets() ?? []) ?? [];
  });
  return { offers, withheld, warnings };
}

/** What a payment in full would convert. */
export function fullConversion(
  offer: Pick<Offer, 'assetId' | 'paymentUnits' | 'settlementAssetId' | 'settlementUnits'>,
): Conversion {
  return {
    from: { assetId: offer.assetId, units: offer.paymentUnits },
    to: { assetId: offer.settlementAssetId, units: offer.settlementUnits },
  };
}

/** Only a network with a limit of its own is asked (Lightning); it answers from memory. */
async function reasonNotReceivable(
  network: Network,
  assetId: string,
  units: bigint,
  passage: Passage | undefined,
): Promise<string | undefined> {
  if (passage?.kind === 'refused') return passage.reason;
  const { mostUnits } = getNetwork(networkOf(network.chain));
  const tooSmall = reasonNotRelayed(networkOf(network.chain), units);
  if (tooSmall !== undefined) return tooSmall;
  if (mostUnits !== undefined && units > mostUnits) return 'more than the network can carry';
  if (network.receivableUnitsMost === undefined) return undefined;
  try {
    const most = await network.receivableUnitsMost(assetId);
    return units > most ? 'more than can be received at once right now' : undefined;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return 'the network cannot be reached right now';
  }
}

/** Nodes drop a payment that would cost more to spend than it is worth. */
function reasonNotRelayed(networkId: string, units: bigint): string | undefined {
  const { leastUnits } = getNetwork(networkId);
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

/** Undefined where what is sent is what arrives. */
function sentUnitsOf(passage: Passage | undefined, units: bigint): bigint | undefined {
  const sentUnits = passage?.kind === 'passes' ? passage.sentUnits : units;
  return sentUnits === units ? undefined : sentUnits;
}

function quoteFacts(quote: Omit<Offer, 'network' | 'assetId'>): Omit<Offer, 'network' | 'assetId'> {
  return {
    paymentUnits: quote.paymentUnits,
    settlementAssetId: quote.settlementAssetId,
    settlementUnits: quote.settlementUnits,
    netUnits: quote.netUnits,
    feeUnits: quote.feeUnits,
    rateIds: quote.rateIds,
    paymentToSettlement: quote.paymentToSettlement,
  };
}

/** The amounts shown at creation while they hold, then those of now (money.md, Quotes). */
export function bindingAmounts(
  { rates: book }: Pick<QuoteOffersApp, 'rates'>,
  checkout: Checkout,
  network: Network,
  offer: Offer,
  now: Temporal.Instant,
): Offer {
  if (Temporal.Instant.compare(now, checkout.quotedUntil) <= 0) return offer;
  const quote = quotePayment({
    environment: checkout.environment,
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    paymentAssetId: offer.assetId,
    settlementAsset: checkout.settlementAsset,
    feePartsPerMillion: checkout.feePartsPerMillion,
    arrivingUnits: arrivingBy(network, offer.assetId),
    book,
    now,
  });
  if (quote.kind === 'unavailable') throw new Outage(`rate (${quote.reason})`);
  assert(quote.netUnits > 0n, 'a quoted method credits something');
  const passage = network.passage?.(offer.assetId, quote.paymentUnits);
  const refused =
    passage?.kind === 'refused'
      ? passage.reason
      : reasonNotRelayed(offer.network, quote.paymentUnits);
  if (refused !== undefined) {
    throw new Refusal('conflict', 'amount_not_receivable', [`network: ${refused}`]);
  }
  const sentUnits = sentUnitsOf(passage, quote.paymentUnits);
  return { ...offer, ...quote, sentUnits, network: offer.network, assetId: offer.assetId };
}
