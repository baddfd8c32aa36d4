// One sale at the counter: a code for the customer's telephone on a screen that turns to "paid" by
// itself: with JavaScript at once (the stream of the customer's own page tells of changes), without
// it by asking again.

import { type Context, Hono } from 'hono';
import { Refusal } from '#base/refusal.ts';
import type { CheckoutRecord, CheckoutState } from '#checkout/checkout.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { qrCode } from '#pages/checkout/copy-field.ts';
import { moneyText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { formOf } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { isKiosk } from './kiosk.ts';
import { payUrl } from './pay-card.ts';
import { dashboardPage, type Place, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const ONE = '/shop/:merchantId/:environment/pos/sales/:sale';
const REFRESH_SECONDS = 5;

export function salePath(place: Place, id: string): string {
  return roomPath(place, `/pos/sales/${id}`);
}

export function posSaleRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(ONE, (context) =>
    withShop(app, context, 'sell', (visit) =>
      withSale(app, context, visit, (record) => sendSale(app, visit, record)),
    ),
  );
  routes.post(`${ONE}/cancel`, (context) =>
    withShop(app, context, 'sell', (visit) =>
      withSale(app, context, visit, async ({ id }) => {
        await readVisitForm(app, context, visit);
        await cancel(app, visit, id);
        return sendSeeOther(salePath(visit.place, id));
      }),
    ),
  );
  return routes;
}

async function withSale(
  app: PageApp,
  context: Context,
  { place, language }: ShopVisit,
  answer: (record: CheckoutRecord) => Promise<Response> | Response,
): Promise<Response> {
  const record = await findCheckout(app, place, context.req.param('sale') ?? '');
  if (record?.type === 'HOSTED') return answer(record);
  return sendPage(app, missingPage(pageLanguage(language.code)));
}

/** Money that was seen meanwhile is shown on the page, which is where one goes anyway. */
async function cancel(app: PageApp, { place, actor }: ShopVisit, checkoutId: string) {
  try {
    await cancelCheckout(app, { checkoutId, owner: place, actor });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
  }
}

function sendSale(app: PageApp, visit: ShopVisit, record: CheckoutRecord): Response {
  const { place, language } = visit;
  const { pos, sell } = language.texts;
  const { id, state, total, billingCurrency, settlementAsset } = record;
  const sum = moneyText(total, billingCurrency, language.code);
  const isOpen = state === 'NEW' || state === 'AWAITING_PAYMENT' || state === 'UNDERPAID';
  const isUnpaid = state === 'NEW' || state === 'AWAITING_PAYMENT';
  const isOver = state === 'COMPLETED' || state === 'CANCELLED';
  const url = payUrl(app, record);
  // The path of this host: the page of the customer may be under another one.
  const watched = `/en/checkout/${pageToken(app.keyring, id)}/events`;
  const next = new URLSearchParams({ currency: billingCurrency, settlement: settlementAsset });
  const body = html`<section class="card sale" id="sale" data-sale-state="${state}"${
    !isOver && html` data-watch="${watched}"`
  }><p class="sum">${sum}</p>
<p class="state" role="status" data-checkout-state="${state}">${saidOf(pos, state)}</p>
${isOpen && html`<p>${pos.scan}</p>${qrCode(url, sell.code)}`}
${
  isOpen &&
  !isKiosk(visit) &&
  html`<p><a class="quiet" href="${url}" target="_blank" rel="noopener noreferrer">${sell.open}</a></p>`
}
<p class="ways"><a class="button" id="next" href="${roomPath(place, `/pos?${next}#counter`)}">${pos.next}</a></p>
${isUnpaid && cancelForm(visit, id)}</section>`;
  const refreshSeconds = isOver ? undefined : REFRESH_SECONDS;
  const shown = { visit, place, title: pos.title, body, room: 'pos', refreshSeconds } as const;
  return sendPage(app, dashboardPage({ ...shown, isBare: true }));
}

function cancelForm(visit: ShopVisit, id: string): Html {
  const { pos } = visit.language.texts;
  return formOf(
    visit,
    `${salePath(visit.place, id)}/cancel`,
    html`<button class="quiet" id="cancel">${pos.cancel}</button>`,
  );
}

function saidOf(pos: ShopVisit['language']['texts']['pos'], state: CheckoutState): string {
  const said: Readonly<Record<CheckoutState, string>> = {
    NEW: pos.waiting,
    AWAITING_PAYMENT: pos.waiting,
    PENDING: pos.seen,
    UNDERPAID: pos.part,
    COMPLETED: pos.paid,
    EXPIRED: pos.over,
    CANCELLED: pos.cancelled,
  };
  return said[state];
}
