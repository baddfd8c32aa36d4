// Where anybody checks a receipt or an invoice of a shop by its code. Guarantees: a code that is
// not ours is refused before anything is read, in the same words as one of another shop's domain;
// one address asks so often in a minute and in an hour.

import { type Context, Hono } from 'hono';
import { addressNeighbours } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { findBillById, isIssued } from '#billing/bill.ts';
import { readStanding } from '#billing/pay-bill.ts';
import { sellerName } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { type CheckoutPage, readPageQuery } from '#pages/checkout/checkout-page.ts';
import { findOpenPage } from '#pages/checkout/read-page.ts';
import { isSignedPlace } from '#pages/checkout/signed-address.ts';
import { languageHere } from '#pages/fault-pages.ts';
import { findPageLanguage, type PageLanguage } from '#pages/languages/texts.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import { domainOf, isServedFor, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendJson, sendPage } from '#pages/send-page.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { readReceiptCode } from './receipt-code.ts';
import { readSignedPlace, renderVerifyAddress } from './verify-address-page.ts';
import {
  type CheckedBill,
  decideBillVerdict,
  decideVerdict,
  renderVerify,
  type VerifyPage,
} from './verify-page.ts';

/** Codes, from one address. */
const A_MINUTE = 20;
const AN_HOUR = 120;
const TYPED_MAX = 60;

type Answered = Pick<VerifyPage, 'fault' | 'status' | 'retryAfterSeconds'>;
type Found = Pick<VerifyPage, 'found' | 'bill'>;
const NOTHING: Found = { found: undefined, bill: undefined };
const FINE: Answered = { fault: undefined, status: 200, retryAfterSeconds: undefined };

export function verifyRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const take = openLimits(app.clock);
  routes.get('/verify', async (context) => {
    const language = await languageOf(app, context);
    const typed = (context.req.query('code') ?? '').slice(0, TYPED_MAX).trim();
    if (typed === '') return send(app, context, { language, typed, ...NOTHING, ...FINE });
    try {
      take(app.clientAddressOf?.(context.req.raw, context.env) ?? '');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { kind, retryAfterSeconds } = error;
      const fault = language.texts.find.tooOften;
      const refused = { fault, status: STATUS_OF_REFUSAL[kind], retryAfterSeconds };
      return send(app, context, { language, typed, ...NOTHING, ...refused });
    }
    const known = await findByCode(app, context, language, typed);
    const fault = known === undefined ? verifyTexts(language.code).unknown : undefined;
    const status = known === undefined ? STATUS_OF_REFUSAL.missing : 200;
    return send(app, context, { ...FINE, language, typed, ...(known ?? NOTHING), fault, status });
  });
  routes.get('/verify/address', async (context) => {
    const language = await languageOf(app, context);
    const given = readSignedPlace(new URL(context.req.url).searchParams);
    const { signature, ...place } = given;
    const isOurs =
      place.address === '' ? undefined : isSignedPlace(app.keyring.publicKey, place, signature);
    const publicKey = Buffer.from(app.keyring.publicKey).toString('base64url');
    if (context.req.query('format') === 'json') {
      return sendJson({ isOurs: isOurs === true, ...place, publicKey });
    }
    const domain = domainOf(context);
    const seller = domain && (await app.findSeller(domain.merchantId));
    const shopName = (seller && sellerName(seller)) ?? 'Quittance';
    const { host } = new URL(publicOrigin(app, context));
    const here = { shopName, host, domain: domain?.host };
    return sendPage(app, renderVerifyAddress({ language, given, isOurs, publicKey, ...here }));
  });
  return routes;
}

/** @throws Refusal too-many `rate_limited` */
function openLimits(clock: Clock): (address: string) => void {
  const minute = createTokenBuckets(clock, A_MINUTE, 'from this address');
  const hour = createTokenBuckets(clock, AN_HOUR, 'from this address', 'hour');
  return (address) => {
    const whose = addressNeighbours(address);
    minute.take(whose);
    hour.take(whose);
  };
}

function languageOf(app: PageApp, context: Context): Promise<PageLanguage> {
  const accepted = context.req.header('accept-language');
  const named = context.req.query('language');
  const asked = named === undefined ? undefined : findPageLanguage(named, accepted);
  return languageHere(app, context, asked);
}

/** Undefined: it names nothing of ours, or something of another shop's domain. */
async function findByCode(
  app: PageApp,
  context: Context,
  language: PageLanguage,
  typed: string,
): Promise<Found | undefined> {
  const coded = readReceiptCode(app.keyring, typed);
  if (coded === undefined) return undefined;
  if (coded.kind === 'bill') {
    const bill = await checkBill(app, context, language, coded.id);
    return bill && { found: undefined, bill };
  }
  const found = await findCheckout(app, context, language, coded.id);
  return found && { found, bill: undefined };
}

async function findCheckout(
  app: PageApp,
  context: Context,
  language: PageLanguage,
  id: string,
): Promise<CheckoutPage | undefined> {
  const domain = domainOf(context);
  const query = readPageQuery(new URLSearchParams());
  const request = { language, languageName: language.code, token: '', query, domain };
  const page = await findOpenPage(app, request, id);
  return page !== undefined && isServedFor(domain, page.record.merchantId) ? page : undefined;
}

async function checkBill(
  app: PageApp,
  context: Context,
  language: PageLanguage,
  id: string,
): Promise<CheckedBill | undefined> {
  const bill = await findBillById(app.db, id);
  if (bill === undefined || !isIssued(bill) || !bill.hasCode) return undefined;
  if (!isServedFor(domainOf(context), bill.merchantId)) return undefined;
  const standing = await readStanding(app, bill);
  const by = standing.paidBy[0] ?? standing.payBy;
  const page =
    by === undefined || by === 'new' ? undefined : await findCheckout(app, context, language, by);
  const verdict = decideBillVerdict(bill, standing, page && decideVerdict(page));
  return { bill, shopName: bill.seller.name, language, verdict };
}

/** In the look of the shop whose domain or whose receipt it is. */
async function send(
  app: PageApp,
  context: Context,
  { found, bill, ...rest }: Omit<VerifyPage, 'shopName' | 'logo' | 'theme'>,
): Promise<Response> {
  const { merchantId } = found?.record ?? bill?.bill ?? domainOf(context) ?? {};
  const seller = merchantId === undefined ? undefined : await app.findSeller(merchantId);
  const shopName =
    found?.summary.shopName ?? bill?.shopName ?? (seller && sellerName(seller)) ?? 'Quittance';
  const look = {
    shopName,
    logo: seller?.logo,
    theme: seller && themeText(seller.page),
    language: found?.language ?? rest.language,
  };
  return sendPage(app, renderVerify({ ...rest, ...look, found, bill }));
}
