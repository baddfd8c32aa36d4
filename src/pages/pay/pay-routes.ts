// The routes of a payment link. Whoever has the token in the address may open a checkout of his
// own. Guarantees: one address opens so many checkouts in a minute and in an hour, all addresses
// together so many of one link in an hour; whoever comes back to what he opened and did not pay
// goes on with that, so that he takes no second place. A cookie that names his checkout is all that
// is kept for this, for as long as a place is held.

import { type Context, Hono } from 'hono';
import { addressNeighbours } from '#access/ip-address.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { compare } from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';
import { readCookie } from '#pages/cookie.ts';
import { isRefusedFrame } from '#pages/embed-origins.ts';
import { notInFramePage, sendMissing } from '#pages/fault-pages.ts';
import { readForm, requireSameOrigin } from '#pages/forms.ts';
import { findPageLanguage, offeredLanguage, preferredLanguage } from '#pages/languages/texts.ts';
import { domainOf, isServedFor, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { openLinkCheckout, readLinkStanding } from '#payment-link/open-link-checkout.ts';
import { findPaymentLinkByToken, type PaymentLink } from '#payment-link/payment-link.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { type PayPage, payEmbedOrigins, renderPay } from './pay-page.ts';

const PATH = '/pay/:token';
/** Checkouts, from one address. */
const A_MINUTE = 10;
const AN_HOUR = 40;
/** Checkouts of one link, in an hour, from all addresses together. */
const OF_LINK = 600;
const COOKIE = 'quittance-link';
const PLACE_SECONDS = 3600;
const TYPED_MAX = 40;

export function payRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const take = openLimits(app.clock);
  routes.get(PATH, (context) =>
    withLink(app, context, (page) => {
      const { pathname, search } = new URL(context.req.url);
      const isRefused = isRefusedFrame(context.req.raw.headers, payEmbedOrigins(page));
      if (isRefused) return sendPage(app, notInFramePage(page.language, `${pathname}${search}`));
      return sendPage(app, renderPay({ ...page, typed: askedIn(context) }));
    }),
  );
  routes.post(PATH, (context) => {
    requireSameOrigin(context.req.raw, publicOrigin(app, context));
    return withLink(app, context, (page) => open(app, context, page, take));
  });
  return routes;
}

type Limits = (linkId: string, address: string) => void;

/** @throws Refusal too-many `rate_limited` */
function openLimits(clock: Clock): Limits {
  const minute = createTokenBuckets(clock, A_MINUTE, 'from this address');
  const hour = createTokenBuckets(clock, AN_HOUR, 'from this address', 'hour');
  const ofLink = createTokenBuckets(clock, OF_LINK, 'of this link', 'hour');
  return (linkId, address) => {
    const whose = addressNeighbours(address);
    minute.take(whose);
    hour.take(whose);
    ofLink.take(linkId);
  };
}

async function withLink(
  app: PageApp,
  context: Context,
  answer: (page: PayPage) => Response | Promise<Response>,
): Promise<Response> {
  const accepted = context.req.header('accept-language');
  const named = context.req.query('language');
  const wished =
    (named === undefined ? undefined : findPageLanguage(named, accepted)) ??
    preferredLanguage(accepted);
  const link = await findPaymentLinkByToken(app.db, context.req.param('token') ?? '');
  if (link === undefined || !isServedFor(domainOf(context), link.merchantId)) {
    return sendMissing(app, context, wished);
  }
  const [seller, standing, opened] = await Promise.all([
    app.findSeller(link.merchantId),
    readLinkStanding(app, link),
    findOpened(app, context, link),
  ]);
  assert(seller !== undefined, 'a link is of a merchant');
  return answer({
    link,
    // The place that is taken may be his own.
    standing: standing === 'soldOut' && opened !== undefined ? 'open' : standing,
    seller,
    language: offeredLanguage(wished, seller.page),
    path: new URL(context.req.url).pathname,
    origin: publicOrigin(app, context),
    typed: '',
    fault: undefined,
    status: 200,
    retryAfterSeconds: undefined,
  });
}

/** `?amount=12.50`: what a button of the shop proposes. */
function askedIn(context: Context): string {
  return (context.req.query('amount') ?? '').slice(0, TYPED_MAX);
}

async function open(
  app: PageApp,
  context: Context,
  page: PayPage,
  take: Limits,
): Promise<Response> {
  const { link, language } = page;
  const form = await readForm(context.req.raw);
  const typed = (form.get('amount') ?? '').slice(0, TYPED_MAX);
  const chosen = link.amount ?? readTypedAmount(typed, getCurrency(link.currency).decimals);
  const opened = await findOpened(app, context, link);
  if (opened !== undefined && chosen !== undefined && compare(opened.total, chosen) === 0) {
    return sendSeeOther(`/${language.code}/checkout/${openedToken(context)}`);
  }
  try {
    take(link.id, app.clientAddressOf?.(context.req.raw, context.env) ?? '');
    const { url } = await openLinkCheckout(app, link, chosen, language.code);
    // Its page is on this host too; a form may not lead to another one (CSP, form-action).
    const { pathname } = new URL(url);
    const cookie = `${COOKIE}=${pathname.split('/').at(-1)}; Path=${page.path}; Max-Age=${PLACE_SECONDS}`;
    const secure = app.publicUrl.startsWith('https:') ? '; Secure' : '';
    return sendSeeOther(pathname, { 'Set-Cookie': `${cookie}; HttpOnly; SameSite=Lax${secure}` });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(app, { ...page, typed }, error);
  }
}

/** The checkout that this browser opened and has not paid. */
async function findOpened(
  app: PageApp,
  context: Context,
  { id }: PaymentLink,
): Promise<CheckoutRecord | undefined> {
  const token = openedToken(context);
  const record = token === '' ? undefined : await findCheckoutByPageToken(app, token);
  if (record?.paymentLinkId !== id) return undefined;
  return record.state === 'NEW' || record.state === 'AWAITING_PAYMENT' ? record : undefined;
}

function openedToken(context: Context): string {
  return readCookie(context.req.header('cookie'), COOKIE);
}

async function refuse(app: PageApp, page: PayPage, refusal: Refusal): Promise<Response> {
  const { texts } = page.language;
  const { code, kind, retryAfterSeconds } = refusal;
  // It changed since the page was shown: the page says how it is now.
  const standing = await readLinkStanding(app, page.link);
  const faults: Readonly<Record<string, string>> = {
    link_price: texts.link.wrong,
    rate_limited: texts.find.tooOften,
  };
  const fault = standing === 'open' ? (faults[code] ?? texts.link.closed) : undefined;
  const status = STATUS_OF_REFUSAL[kind];
  return sendPage(app, renderPay({ ...page, standing, fault, status, retryAfterSeconds }));
}
