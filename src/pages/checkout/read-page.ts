// Puts together what a page of a checkout shows: the record, the seller, and which networks are
// behind.

import { chainOf } from '#catalog/chain.ts';
import { KNOWN_EXPLORERS } from '#catalog/explorer.ts';
import { isBehind, sharedChainStatuses } from '#chain/chain-status.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { findAnyCheckout, findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { hostedCheckoutUrl, pageOrigin } from '#checkout/page-token.ts';
import type { OwnDomain } from '#merchant/domain.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { offeredLanguage, type PageLanguage } from '#pages/languages/texts.ts';
import { isServedFor } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { isPayerMailAsked } from '#people/payer-mail.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { decidePage, type PageQuery, watchedNetworks } from './decide-page.ts';
import { findBuyer, orderSummary } from './order-summary.ts';
import { payerFee } from './payer-fee.ts';
import { placeToPay, signPlace } from './signed-address.ts';

export type PageRequest = {
  readonly language: PageLanguage;
  readonly languageName: string;
  readonly token: string;
  readonly query: PageQuery;
  /** Where it was asked for, when that is a merchant's own domain. */
  readonly domain: OwnDomain | undefined;
};

export async function findCheckoutPage(
  app: PageApp,
  request: PageRequest,
): Promise<CheckoutPage | undefined> {
  const record = await findRequestedCheckout(app, request);
  return record && checkoutPageOf(app, request, record);
}

/** Undefined also under the own domain of another merchant. */
export async function findRequestedCheckout(
  app: PageApp,
  { token, domain }: PageRequest,
): Promise<CheckoutRecord | undefined> {
  const record = await findCheckoutByPageToken(app, token);
  return record && isServedFor(domain, record.merchantId) ? record : undefined;
}

/** The same page again: which checkout the token names is known. */
export async function findOpenPage(
  app: PageApp,
  request: PageRequest,
  checkoutId: string,
): Promise<CheckoutPage | undefined> {
  const record = await findAnyCheckout(app, checkoutId);
  return record && checkoutPageOf(app, request, record);
}

async function checkoutPageOf(
  app: PageApp,
  request: PageRequest,
  record: CheckoutRecord,
): Promise<CheckoutPage> {
  const now = app.clock.now();
  const [seller, behind, isAsked] = await Promise.all([
    app.findSeller(record.merchantId),
    listBehind(app, record, now),
    app.hasMail && isPayerMailAsked(app.db, record.id),
  ]);
  const mayAsk = app.hasMail && seller?.withoutPayerMails?.[record.environment] !== true;
  const summary = orderSummary(record, seller);
  const settings = seller?.page ?? DEFAULT_PAGE_SETTINGS;
  return {
    ...request,
    language: offeredLanguage(request.language, settings, record.language),
    record,
    now,
    summary,
    settings,
    buyer: await findBuyer(app, record, summary),
    explorers: app.explorers ?? KNOWN_EXPLORERS,
    logo: seller?.logo,
    state: decidePage({
      record,
      query: request.query,
      now,
      behind,
      paymentUri: (commitment, units) => paymentUri(app, record, commitment, units),
      askedUnits: (commitment, units) => askedUnits(app, record, commitment, units),
    }),
    hasSandbox: app.sandbox !== undefined && record.environment === 'test',
    confirmationsOf: (network, amount) =>
      app.policy.requiredConfirmations(
        chainOf(record.environment, network),
        [amount],
        record.merchantId,
        seller?.confirmations?.[record.environment]?.[network],
      ),
    draftsPayments: (network) =>
      app.watcherOf?.(chainOf(record.environment, network))?.payerTransactions !== undefined,
    chainIdentityOf: (network) => app.watcherOf?.(chainOf(record.environment, network))?.identity,
    walletConnect: record.environment === 'live' ? app.walletConnect : undefined,
    pageUrl: hostedCheckoutUrl(pageOrigin(app, record), request.languageName, request.token),
    signPlaceOf: (commitment) => signPlace(app.keyring, placeToPay(commitment)),
    payerFeeOf: (offer) => payerFee(app, { ...record, now }, offer),
    recommended: seller?.recommended?.[record.environment] ?? [],
    words: seller?.pageWords ?? [],
    fault: undefined,
    mailWish: mayAsk ? (isAsked ? 'asked' : 'open') : undefined,
  };
}

/**
 * Networks that we have not read up to now; for one whose window is over, up to the end of it: the
 * payment may stand in what we have not read (C8).
 */
async function listBehind(
  app: PageApp,
  record: CheckoutRecord,
  now: Temporal.Instant,
): Promise<Set<string>> {
  if (record.state === 'COMPLETED' || record.state === 'CANCELLED') return new Set();
  const statuses = await sharedChainStatuses(app.db);
  const behind = watchedNetworks(record).filter((network) => {
    const chain = chainOf(record.environment, network);
    const ends = record.commitments
      .filter((commitment) => commitment.network === network)
      .map(({ expiresAt }) => expiresAt)
      .filter((end) => Temporal.Instant.compare(end, now) <= 0);
    const status = statuses.find((one) => one.chain === chain);
    return [undefined, ...ends].some((since) => isBehind(status, now, since));
  });
  return new Set(behind);
}

/** Where no amount gets through the anchor, the amount itself: there is no better one to show. */
function askedUnits(
  app: PageApp,
  record: CheckoutRecord,
  { network, assetId }: Commitment,
  units: bigint,
): bigint {
  const passage = app.networks.get(chainOf(record.environment, network))?.passage?.(assetId, units);
  return passage?.kind === 'passes' ? passage.askedUnits : units;
}

function paymentUri(
  app: PageApp,
  record: CheckoutRecord,
  { network, instruction, assetId }: Commitment,
  units: bigint,
): string {
  const adapter = app.networks.get(chainOf(record.environment, network));
  return adapter?.paymentUri(instruction, assetId, units) ?? '';
}
