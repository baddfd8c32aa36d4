// Where anybody checks a receipt by its code. Guarantees: a code that is not ours is refused before
// anything is read, in the same words as one of another shop's domain; one address asks so often in
// a minute and in an hour.

import { type Context, Hono } from 'hono';
import { addressNeighbours } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { sellerName } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { type CheckoutPage, readPageQuery } from '#pages/checkout/checkout-page.ts';
import { findOpenPage } from '#pages/checkout/read-page.ts';
import { findPageLanguage, type PageLanguage, preferredLanguage } from '#pages/languages/texts.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import { domainOf, isServedFor } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { readReceiptCode } from './receipt-code.ts';
import { renderVerify, type VerifyPage } from './verify-page.ts';

/** Codes, from one address. */
const A_MINUTE = 20;
const AN_HOUR = 120;
const TYPED_MAX = 60;

type Answered = Pick<VerifyPage, 'fault' | 'status' | 'retryAfterSeconds'>;
const FINE: Answered = { fault: undefined, status: 200, retryAfterSeconds: undefined };

export function verifyRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const take = openLimits(app.clock);
  routes.get('/verify', async (context) => {
    const language = languageOf(context);
    const typed = (context.req.query('code') ?? '').slice(0, TYPED_MAX).trim();
    if (typed === '') return send(app, context, { language, typed, found: undefined, ...FINE });
    try {
      take(app.clientAddressOf?.(context.req.raw, context.env) ?? '');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { kind, retryAfterSeconds } = error;
      const fault = language.texts.find.tooOften;
      const refused = { fault, status: STATUS_OF_REFUSAL[kind], retryAfterSeconds };
      return send(app, context, { language, typed, found: undefined, ...refused });
    }
    const found = await findByCode(app, context, language, typed);
    const fault = found === undefined ? verifyTexts(language.code).unknown : undefined;
    const status = found === undefined ? STATUS_OF_REFUSAL.missing : 200;
    return send(app, context, { ...FINE, language, typed, found, fault, status });
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

function languageOf(context: Context): PageLanguage {
  const accepted = context.req.header('accept-language');
  const named = context.req.query('language');
  const wished = named === undefined ? undefined : findPageLanguage(named, accepted);
  return wished ?? preferredLanguage(accepted);
}

async function findByCode(
  app: PageApp,
  context: Context,
  language: PageLanguage,
  typed: string,
): Promise<CheckoutPage | undefined> {
  const id = readReceiptCode(app.keyring, typed);
  if (id === undefined) return undefined;
  const domain = domainOf(context);
  const query = readPageQuery(new URLSearchParams());
  const request = { language, languageName: language.code, token: '', query, domain };
  const page = await findOpenPage(app, request, id);
  return page !== undefined && isServedFor(domain, page.record.merchantId) ? page : undefined;
}

/** In the look of the shop whose domain or whose receipt it is. */
async function send(
  app: PageApp,
  context: Context,
  { found, ...rest }: Omit<VerifyPage, 'shopName' | 'logo' | 'theme'>,
): Promise<Response> {
  const merchantId = found?.record.merchantId ?? domainOf(context)?.merchantId;
  const seller = merchantId === undefined ? undefined : await app.findSeller(merchantId);
  const shopName = found?.summary.shopName ?? (seller && sellerName(seller)) ?? 'Quittance';
  const look = {
    shopName,
    logo: seller?.logo,
    theme: seller && themeText(seller.page),
    language: found?.language ?? rest.language,
  };
  return sendPage(app, renderVerify({ ...rest, ...look, found }));
}
