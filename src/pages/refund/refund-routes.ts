// The routes by which a payer claims a refund. Whoever has the token in the address may say, once,
// where the money goes.
import { type Context, Hono } from 'hono';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { returnAddress } from '#pages/checkout/shop-links.ts';
import { assetText, momentText } from '#pages/display.ts';
import { sendMissing } from '#pages/fault-pages.ts';
import { readForm, requireSameOrigin } from '#pages/forms.ts';
import { findPageLanguage, offeredLanguage } from '#pages/languages/texts.ts';
import { domainOf, isServedFor, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendCalendar, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { writeCalendar } from '#pages/write-calendar.ts';
import { claimRefund } from '#refund/claim-refund.ts';
import { findRefundByClaim } from '#refund/refund.ts';
import { refundAccount } from '#refund/refund-account.ts';
import { type RefundClaim, type RefundPage, renderRefund } from './refund-page.ts';

const PATH = '/:language/refund/:token';

export function refundRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withRefund(app, context, (page) => sendPage(app, renderRefund(page))),
  );
  routes.get(`${PATH}/claim.ics`, (context) =>
    withRefund(app, context, (page) => sendDeadline(app, page)),
  );
  routes.post(PATH, (context) => {
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
    return sendMissing(app, context, wished);
  }
  const [seller, record] = await Promise.all([
    app.findSeller(refund.merchantId),
    findAnyCheckout(app, refund.checkoutId),
  ]);
  assert(record !== undefined, 'a refund is of a checkout');
  const { shopName } = orderSummary(record, seller);
  const settings = seller?.page ?? DEFAULT_PAGE_SETTINGS;
  const language = offeredLanguage(wished, settings, refund.language);
  const shopUrl = record.returnUrl ?? record.cancelUrl;
  const addressIn = (code: LanguageCode) => `/${code}/refund/${encodeURIComponent(token)}`;
  return answer({
    refund,
    seller,
    shopName,
    language,
    addressIn,
    calendar: `${addressIn(language.code)}/claim.ics`,
    typed: undefined,
    isReview: false,
    fault: undefined,
    shopUrl: shopUrl && returnAddress(shopUrl, record.id),
  });
}

/** Without the link: calendars are shared, and whoever has it says where the money goes. */
function sendDeadline(app: PageApp, { refund, language, shopName }: RefundPage): Response {
  const { texts } = language;
  const amount = assetText(refund.network, refund.assetId, refund.units, language);
  const entry = writeCalendar({
    id: `refund-${refund.id}@quittance`,
    title: `${shopName}: ${texts.refund.title(amount)}`,
    description: `${texts.refund.until}: ${momentText(refund.claimableUntil, language.code)}\n${texts.paid.reference}: ${refund.checkoutId}`,
    due: refund.claimableUntil,
    now: app.clock.now(),
  });
  return sendCalendar(entry, 'refund.ics');
}

/** Money is sent only after the payer has looked at the data once more. */
async function claim(app: PageApp, context: Context, page: RefundPage): Promise<Response> {
  const form = await readForm(context.req.raw);
  const step = form.get('step');
  const typed = readClaim(form);
  if (step === 'edit') return sendPage(app, renderRefund({ ...page, typed }));
  const { network, environment, units } = page.refund;
  const { address, ...more } = typed;
  try {
    if (step !== 'send') {
      refundAccount(app, { network, environment, units, ...typed });
      return sendPage(app, renderRefund({ ...page, typed, isReview: true }));
    }
    await claimRefund(app, context.req.param('token') ?? '', address, more);
  } catch (error) {
    const isTypo = error instanceof Refusal && error.kind === 'invalid';
    // A second click claimed it already: the page shows the refund as it stands.
    const isOver = error instanceof Refusal && error.kind === 'conflict';
    if (error instanceof Refusal && error.code === 'network_fee_high') {
      const fault = page.language.texts.refund.tooDear;
      return sendPage(app, renderRefund({ ...page, typed, isReview: true, fault }));
    }
    if (!isTypo && !isOver) throw error;
    if (isTypo) return sendPage(app, renderRefund({ ...page, typed, fault: faultOf(page, error) }));
  }
  return sendSeeOther(new URL(context.req.url).pathname);
}

function readClaim(form: URLSearchParams): RefundClaim {
  const text = (name: string) => (form.get(name) ?? '').trim().slice(0, 4000);
  const memoType = form.get('memoType') === 'id' ? 'id' : 'text';
  return { address: text('address'), memo: text('memo'), memoType };
}

function faultOf({ refund, language }: RefundPage, error: Refusal): string {
  const texts = language.texts.refund;
  if (!error.details[0]?.startsWith('memo')) return texts.noAddress;
  return getNetwork(refund.network).knownBy === 'memo' ? texts.badMemo : texts.badTag;
}
