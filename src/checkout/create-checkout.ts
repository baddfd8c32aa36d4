// Creates a checkout from a charge: totals it, quotes every way to pay that can be received now,
// and stores all of it in one statement. Nothing is derived or watched before a commit (I4, I5).

import type { Caller } from '#account/caller.ts';
import { createBatch } from '#base/batch.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork, listNetworks } from '#catalog/network.ts';
import { isWithinRisk, requireTolerated } from '#catalog/risk.ts';
import type { Db } from '#db/db.ts';
import type { Network, Passage } from '#deposit/network.ts';
import type { Decimal } from '#money/decimal.ts';
import { findCustomer } from '#people/customer.ts';
import { type Conversion, type Cover, type ExposureApp, openCover } from '#rates/exposure.ts';
import { isRateMissing, ORIGIN, quotePayment, type RateBook } from '#rates/quote.ts';
import {
  type CheckoutOrigin,
  type CheckoutType,
  type Offer,
  PAYMENT_WINDOW_MINUTES,
  UNCOMMITTED_HOURS,
  type WithheldOffer,
} from './checkout.ts';
import type { CheckoutRequest } from './checkout-request.ts';
import { insertCheckouts, type NewCheckout } from './checkout-store.ts';
import {
  hostedCheckoutUrl,
  type PageTokenKeys,
  pageOrigin,
  pageToken,
  pageTokenHash,
} from './page-token.ts';

import { type AnchorPreference, faultOfPreference, offeredAssets } from './prefer-anchors.ts';

export type CreateCheckoutApp = ExposureApp & {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<string, Network>;
  readonly keyring: PageTokenKeys;
  readonly publicUrl: string;
  /** Whether somebody is asked for live prices; known only where it can be false. */
  readonly hasPriceSources?: boolean | undefined;
  /** How long the amounts of a new checkout hold, where it is less than a window. */
  readonly quoteMinutes?: number | undefined;
};

export type CreatedCheckout = {
  readonly id: string;
  /** Address of the hosted page. */
  readonly url: string;
  readonly offers: readonly Offer[];
  /** Until then a commit keeps the amounts of the offers. */
  readonly quotedUntil: Temporal.Instant;
  /** What was preferred and could not be followed, in sentences for the merchant. */
  readonly warnings: readonly string[];
};

export type CreateCheckoutOptions = {
  readonly type: CheckoutType;
  readonly origin: CheckoutOrigin;
  readonly originUrl?: string | undefined;
};

/**
 * Refuses (conflict `no_payment_method`) when the charge cannot be paid in any way right now, and
 * (invalid) when it names a customer that is not one of the caller's.
 */
export async function createCheckout(
  app: CreateCheckoutApp,
  caller: Caller,
  request: CheckoutRequest,
  options: CreateCheckoutOptions,
): Promise<CreatedCheckout> {
  const { charge, settlementAsset } = request;
  if (settlementAsset !== ORIGIN) {
    requireTolerated('settlementAsset', getAsset(settlementAsset), caller.riskTolerance);
  }
  const now = app.clock.now();
  const { offers, withheld, warnings } = await quoteOffers(app, caller, {
    total: charge.total,
    billingCurrency: charge.billingCurrency,
    settlementAsset,
    feePartsPerMillion: caller.feePartsPerMillion,
    anchors: request.anchors,
    now,
  });
  if (offers.length === 0) {
    requirePrices(app, caller, withheld);
    throw new Refusal('conflict', 'no_payment_method', [
      'no payment method is available for this charge right now',
      `assets above risk level ${caller.riskTolerance} are left out: the account takes none`,
      ...withheld.map(({ network, assetId, reason }) => `${network} ${assetId}: ${reason}`),
    ]);
  }
  await requireCustomer(app, caller, charge.customerId);
  const id = newId(app.random);
  const quotedUntil = now.add({ minutes: app.quoteMinutes ?? PAYMENT_WINDOW_MINUTES });
  const token = pageToken(app.keyring, id);
  await storeCheckout(app.db)({
    id,
    merchantId: caller.merchantId,
    environment: caller.environment,
    apiKey: caller.apiKey,
    type: options.type,
    origin: options.origin,
    pageTokenHash: pageTokenHash(token),
    customerId: charge.customerId,
    payload: request.payloadText,
    meta: request.metaText,
    billingCurrency: charge.billingCurrency,
    total: charge.total,
    settlementAsset,
    language: request.checkoutLanguage,
    webhookUrl: request.webhook,
    pageOrigin: caller.pageOrigin,
    returnUrl: request.pageSettings.returnUrl,
    cancelUrl: request.pageSettings.cancelUrl,
    offers,
    withheld,
    originUrl: options.originUrl,
    feePartsPerMillion: caller.feePartsPerMillion,
    underpaidTolerancePartsPerMillion: caller.underpaidTolerancePartsPerMillion,
    lateFloorPartsPerMillion: caller.lateFloorPartsPerMillion,
    createdAt: now,
    quotedUntil,
    expiresAt: now.add({ hours: UNCOMMITTED_HOURS }),
  });
  const url = hostedCheckoutUrl(pageOrigin(app, caller), request.checkoutLanguage, token);
  return { id, url, offers, quotedUntil, warnings };
}

/** @throws Refusal when every way to pay lacks a price that nobody was asked for. */
function requirePrices(
  { hasPriceSources = true }: Pick<CreateCheckoutApp, 'hasPriceSources'>,
  { environment }: Pick<Caller, 'environment'>,
  withheld: readonly WithheldOffer[],
): void {
  if (hasPriceSources || environment === 'test' || withheld.length === 0) return;
  if (!withheld.every(({ reason }) => isRateMissing(reason))) return;
  throw new Refusal('unavailable', 'prices_not_configured', [
    'every way to pay needs a price and no source of prices is set: the operator of this ' +
      'installation sets PRICE_SOURCES=all, or names at least three (npx quittance settings)',
  ]);
}

/** A customer deleted a moment later is as one deleted afterwards: the id stays. */
async function requireCustomer(
  app: Pick<CreateCheckoutApp, 'db'>,
  caller: Caller,
  customerId: string | undefined,
): Promise<void> {
  if (customerId === undefined || (await findCustomer(app, caller, customerId))) return;
  const fault = 'charge.customerId: is no customer of this account';
  throw new Refusal('invalid', 'validation_failed', fault);
}

/** Checkouts created at the same time are stored by one statement. */
const stores = new WeakMap<Db, (checkout: NewCheckout) => Promise<void>>();
const STORES_AT_ONCE = 2;
const CHECKOUTS_PER_STORE = 50;

function storeCheckout(db: Db): (checkout: NewCheckout) => Promise<void> {
  const known = stores.get(db);
  if (known !== undefined) return known;
  const store = createBatch({
    most: CHECKOUTS_PER_STORE,
    atOnce: STORES_AT_ONCE,
    async run(checkouts: readonly NewCheckout[]) {
      await db.single((tx) => insertCheckouts(tx, checkouts));
      return checkouts.map(() => undefined);
    },
  });
  stores.set(db, store);
  return store;
}

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
  app: Pick<CreateCheckoutApp, 'db' | 'networks' | 'rates' | 'exposureLimitUsd'>,
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
          ? (cover(conversionOf(assetId, quote)) ??
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
export function conversionOf(
  assetId: string,
  quote: Pick<Offer, 'paymentUnits' | 'settlementAssetId' | 'settlementUnits'>,
): Conversion {
  return {
    from: { assetId, units: quote.paymentUnits },
    to: { assetId: quote.settlementAssetId, units: quote.settlementUnits },
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
export function reasonNotRelayed(networkId: string, units: bigint): string | undefined {
  const { leastUnits } = getNetwork(networkId);
  if (leastUnits === undefined || units >= leastUnits) return undefined;
  return 'less than the network relays';
}

/** What arrives of the least that can be sent; as it is where nothing can be sent (`passage`). */
export function arrivingBy(
  network: Network,
  assetId: string,
): ((units: bigint) => bigint) | undefined {
  if (network.passage === undefined) return undefined;
  return (units) => {
    const passage = network.passage?.(assetId, units);
    return passage?.kind === 'passes' ? passage.arrivingUnits : units;
  };
}

/** Undefined where what is sent is what arrives. */
export function sentUnitsOf(passage: Passage | undefined, units: bigint): bigint | undefined {
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
