// The routes by which a payer claims a refund. Whoever has the token in the address may say, once,
// where the money goes.
import { type Context, Hono } from 'hono';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { findPageLanguage, preferredLanguage, withFallback } from '#pages/languages/texts.ts';
import { domainOf, isServedFor, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { readForm } from '#pages/read-form.ts';
import { requireSameOrigin } from '#pages/same-origin.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { claimRefund } from '#refund/claim-refund.ts';
import { findRefundByClaim } from '#refund/find-refund.ts';
import { type RefundPage, renderRefund } from './refund-page.ts';

const path = '/:language/refund/:token';

export function refundRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(path, (context) =>
    withRefund(app, context, (page) => sendPage(app, renderRefund(page))),
  );
  routes.post(path, (context) => {
    requireSameOrigin(context.req.raw, publicOrigin(app, context));
    return withRefund(app, context, (page) => claim(app, context, page));
  });
  return routes;
}

async function withRefund(
  app: PageApp,
  context: Context,
  answer: (page: RefundPage) => Response | Promise<Response>,
): Promise<Response> {
  const accepted = context.req.header('accept-language');
  const wished = findPageLanguage(context.req.param('language') ?? '', accepted);
  const token = context.req.param('token') ?? '';
  const refund = wished && (await findRefundByClaim(app, token));
  const isHere = refund !== undefined && isServedFor(domainOf(context), refund.merchantId);
  if (wished === undefined || !isHere) {
    return sendPage(app, missingPage(wished ?? preferredLanguage(accepted)));
  }
  const [seller, record] = await Promise.all([
    app.findSeller(refund.merchantId),
    findAnyCheckout(app, refund.checkoutId),
  ]);
  assert(record !== undefined, 'a refund is of a checkout');
  const { shopName } = orderSummary(record, seller);
  const language = seller ? withFallback(wished, seller.page.defaultLanguage) : wished;
  const addressIn = (code: LanguageCode) => `/${code}/refund/${encodeURIComponent(token)}`;
  return answer({
    refund,
    seller,
    shopName,
    language,
    addressIn,
    typed: undefined,
    fault: undefined,
  });
}

async function claim(app: PageApp, context: Context, page: RefundPage): Promise<Response> {
  const typed = ((await readForm(context.req.raw)).get('address') ?? '').trim();
  try {
    await claimRefund(app, context.req.param('token') ?? '', typed);
  } catch (error) {
    const isTypo = error instanceof Refusal && error.kind === 'invalid';
    // Claimed by a second click: the page shows how it stands.
    const isOver = error instanceof Refusal && error.kind === 'conflict';
    if (!isTypo && !isOver) throw error;
    const fault = page.language.texts.refund.noAddress;
    if (isTypo) return sendPage(app, renderRefund({ ...page, typed: typed.slice(0, 200), fault }));
  }
  return sendSeeOther(new URL(context.req.url).pathname);
}
