// Creates a checkout from a charge: quotes every way to pay that can be received now,
// and stores all of it in one statement. Nothing is derived or watched before a commit (I4, I5).

import type { MerchantTerms } from '#access/caller.ts';
import { decideAsking, type PayerAsking } from '#ask/ask.ts';
import type { Clock } from '#base/clock.ts';
import { newOrderedId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset, requireTolerated } from '#catalog/asset.ts';
import type { Owner } from '#catalog/owner.ts';
import type { CheckoutRequest } from '#charge/checkout-request.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import type { NewRow } from '#db/table.ts';
import { findSeller } from '#merchant/seller.ts';
import { findCustomer } from '#people/customer.ts';
import { arePricesAsked, type PriceFacts, pricesNotConfigured } from '#rates/exchange-rate.ts';
import { isRateMissing, ORIGIN } from '#rates/quote.ts';
import { createBatch } from '#runtime/batch.ts';
import {
  CHECKOUT,
  type CheckoutOrigin,
  type CheckoutType,
  PAYMENT_WINDOW_MINUTES,
  UNCOMMITTED_HOURS,
} from './checkout.ts';
import type { Offer, WithheldOffer } from './offer.ts';
import {
  hostedCheckoutUrl,
  type PageTokenKeys,
  pageOrigin,
  pageToken,
  pageTokenHash,
} from './page-token.ts';
import { type QuoteOffersApp, quoteOffers } from './quote-offers.ts';
import { sandboxStepsOf } from './sandbox-steps.ts';

export type CreateCheckoutApp = PriceFacts &
  QuoteOffersApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly keyring: PageTokenKeys;
    readonly publicUrl: string;
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
  /** What was asked for and could not be followed, in sentences for the merchant. */
  readonly warnings: readonly string[];
};

/** For whom: with the key that asked, where one did. */
type Seller = MerchantTerms & { readonly apiKey?: string | undefined };

type CreateCheckoutOptions = {
  readonly type: CheckoutType;
  readonly origin: CheckoutOrigin;
  readonly originUrl?: string | undefined;
  /** The link by which it was opened. */
  readonly paymentLinkId?: string | undefined;
  /** What the link asks, or `nothing`; where it says nothing, the account is asked. */
  readonly asking?: PayerAsking | 'nothing' | undefined;
};

/**
 * Refuses (conflict `no_payment_method`) when the charge cannot be paid in any way right now, and
 * (invalid) when it names a customer that is not one of the caller's.
 */
export async function createCheckout(
  app: CreateCheckoutApp,
  caller: Seller,
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
  if (offers.length === 0) throw nothingOffered(app, caller, withheld);
  await requireCustomer(app, caller, charge.customerId);
  const id = newOrderedId(now, app.random);
  const quotedUntil = now.add({ minutes: app.quoteMinutes ?? PAYMENT_WINDOW_MINUTES });
  const token = pageToken(app.keyring, id);
  const expiresAt = now.add({ hours: UNCOMMITTED_HOURS });
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
    asking: askingOf(caller, request, options),
    billingCurrency: charge.billingCurrency,
    total: charge.total,
    settlementAsset,
    language: request.checkoutLanguage,
    webhookUrl: request.webhook,
    pageOrigin: caller.pageOrigin,
    returnUrl: request.pageSettings.returnUrl,
    cancelUrl: request.pageSettings.cancelUrl,
    offers: { offers, withheld },
    originUrl: options.originUrl,
    paymentLinkId: options.paymentLinkId,
    feePartsPerMillion: caller.feePartsPerMillion,
    underpaidTolerancePartsPerMillion: caller.underpaidTolerancePartsPerMillion,
    lateFloorPartsPerMillion: caller.lateFloorPartsPerMillion,
    lateDays: caller.lateDays,
    state: 'NEW',
    createdAt: now,
    quotedUntil,
    expiresAt,
    settleAt: expiresAt,
    sandboxSteps: sandboxStepsOf(caller.environment, request.metaText),
  });
  const url = hostedCheckoutUrl(pageOrigin(app, caller), request.checkoutLanguage, token);
  const ofPage = options.type === 'HOSTED' ? await pageWarnings(app, caller, request) : [];
  return { id, url, offers, quotedUntil, warnings: [...warnings, ...ofPage] };
}

/** A page that a shop makes itself asks what its request says, and nothing else. */
function askingOf(
  { asking: ofAccount }: Seller,
  { pageSettings }: CheckoutRequest,
  { type, asking = ofAccount }: CreateCheckoutOptions,
): PayerAsking | undefined {
  return decideAsking(pageSettings, type === 'HOSTED' && asking !== 'nothing' ? asking : undefined);
}

/** Why, way by way. @throws Refusal as below */
function nothingOffered(
  app: PriceFacts,
  caller: Seller,
  withheld: readonly WithheldOffer[],
): Refusal {
  requirePrices(app, caller, withheld);
  return new Refusal('conflict', 'no_payment_method', [
    'no payment method is available for this charge right now',
    `assets above risk level ${caller.riskTolerance} are left out: the account takes none`,
    ...(caller.methodsOff.length === 0
      ? []
      : ['some ways to pay are switched off in the settings of the account']),
    ...withheld.map(({ network, assetId, reason }) => `${network} ${assetId}: ${reason}`),
  ]);
}

/** @throws Refusal when every way to pay lacks a price that nobody was asked for. */
function requirePrices(
  app: PriceFacts,
  { environment }: Pick<Owner, 'environment'>,
  withheld: readonly WithheldOffer[],
): void {
  if (arePricesAsked(app, environment) || withheld.length === 0) return;
  if (!withheld.every(({ reason }) => isRateMissing(reason))) return;
  throw pricesNotConfigured('every way to pay needs a price');
}

/**
 * A customer deleted a moment later is treated like one deleted afterwards: the checkout keeps the
 * id.
 */
async function requireCustomer(
  app: Pick<CreateCheckoutApp, 'db'>,
  caller: Owner,
  customerId: string | undefined,
): Promise<void> {
  if (customerId === undefined || (await findCustomer(app, caller, customerId))) return;
  const fault = 'charge.customerId: is no customer of this account';
  throw new Refusal('invalid', 'validation_failed', fault);
}

/** What a customer who is erased answered goes with him; when he accepted the terms stays. */
export async function forgetAnswers(
  { db }: Pick<CreateCheckoutApp, 'db'>,
  { merchantId, environment }: Owner,
  customerIds: readonly string[],
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update checkout set answers = null, changed_in = pg_current_xact_id()
      where merchant_id = ${merchantId} and environment = ${environment}
        and customer_id = any(${customerIds}::text[]) and answers is not null`),
  );
}

/** Of one checkout, whoever paid it. @throws Refusal missing `checkout_missing` */
export async function eraseAnswers(
  { db }: Pick<CreateCheckoutApp, 'db'>,
  { merchantId, environment }: Owner,
  checkoutId: string,
): Promise<void> {
  const rows = await db.single((tx) =>
    tx.query(sql`
      update checkout set answers = null, changed_in = pg_current_xact_id()
      where id = ${checkoutId} and merchant_id = ${merchantId} and environment = ${environment}
      returning id`),
  );
  if (rows.length === 0) throw new Refusal('missing', 'checkout_missing', 'no such checkout');
}

type NewCheckout = NewRow<typeof CHECKOUT>;

/** Checkouts created at the same time are stored by one statement. */
const stores = new WeakMap<Db, (checkout: NewCheckout) => Promise<void>>();
const STORES_AT_ONCE = 3;
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

/** With the first lines of their history: one round trip for all of them. */
async function insertCheckouts(tx: Tx, checkouts: readonly NewCheckout[]): Promise<void> {
  await tx.query(sql`
    with made as (${CHECKOUT.insert(checkouts, sql`returning id, state, created_at`)})
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, 1, state, created_at from made`);
}

/** Settings of the page that were asked for and cannot be shown, in words for the merchant. */
async function pageWarnings(
  { db }: Pick<CreateCheckoutApp, 'db'>,
  { merchantId }: Owner,
  { pageSettings }: CheckoutRequest,
): Promise<string[]> {
  if (pageSettings.displaySellerInfo !== true) return [];
  const seller = await findSeller(db, merchantId);
  if (seller === undefined || seller.page.sellerInfo !== null) return [];
  return [
    'pageSettings.displaySellerInfo: there is nothing to show yet; the operator stores it with `quittance merchant page set --seller-info`',
  ];
}
