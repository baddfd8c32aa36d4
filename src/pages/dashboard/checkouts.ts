// Checkouts of a shop, newest first, and one of them with everything that happened to it and what
// can be done with it.

import { type Context, Hono } from 'hono';
import { Refusal } from '#base/refusal.ts';
import { CHECKOUT_STATES, type CheckoutRecord } from '#checkout/checkout.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import { acceptUnderpaid, cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { assetText, momentTime, moneyText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { findCustomer } from '#people/customer.ts';
import { listRefundsOf, type Refund, refundView } from '#refund/refund.ts';
import { mayAct, type StaffAct } from '#staff/role.ts';
import { askedCard } from './checkout-asked.ts';
import { sandboxCard } from './checkout-sandbox.ts';
import { timelineCard } from './checkout-timeline.ts';
import { saveViewForm, viewTabs } from './checkout-views.ts';
import { button, faultNote, formOf, quietButton, readCursor, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { accountLines, line, linesOf, ownerOf, transactionLink } from './money-words.ts';
import { paidLink, payCard } from './pay-card.ts';
import {
  type AskedCheckouts,
  askedQuery,
  filterOf,
  readAsked,
  searchCheckouts,
  WANTED_MOST,
} from './search-checkouts.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/checkouts';
const ONE = `${LIST}/:id`;
const SHOWN = 25;
const REFUNDS_MOST = 20;

export function checkoutsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(LIST, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendList(app, context, visit)),
  );
  routes.get(ONE, (context) =>
    withShop(app, context, 'see-sales', (visit) => {
      const isRefused = context.req.query('refused') === '1';
      const fault = isRefused ? visit.language.texts.checkouts.refused : undefined;
      return sendOne(app, visit, idOf(context), fault);
    }),
  );
  for (const [path, asked, act] of ACTS) {
    routes.post(`${ONE}/${path}`, (context) =>
      withShop(app, context, asked, async (visit) => {
        await readVisitForm(app, context, visit);
        return actOn(app, visit, idOf(context), act);
      }),
    );
  }
  return routes;
}

type Act = (app: PageApp, visit: ShopVisit, checkoutId: string) => Promise<void>;

const ACTS: readonly (readonly [path: string, asked: StaffAct, act: Act])[] = [
  [
    'cancel',
    'sell',
    (app, { place, actor }, checkoutId) => cancelCheckout(app, { checkoutId, owner: place, actor }),
  ],
  [
    'accept',
    'decide-checkout',
    (app, { place, actor }, checkoutId) =>
      acceptUnderpaid(app, { checkoutId, owner: { ...place, actor } }),
  ],
];

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

async function actOn(
  app: PageApp,
  visit: ShopVisit,
  checkoutId: string,
  act: Act,
): Promise<Response> {
  try {
    await act(app, visit, checkoutId);
  } catch (error) {
    // It changed since the page was shown: the page shows how it is now.
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    return sendOne(app, visit, checkoutId, visit.language.texts.checkouts.refused);
  }
  return sendSeeOther(roomPath(visit.place, `/checkouts/${checkoutId}`));
}

async function sendList(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const texts = language.texts.checkouts;
  const asked = readAsked(new URL(context.req.url).searchParams);
  const { checkouts, nextCursor, looked } = await listAsked(app, context, visit, asked);
  const [only] = checkouts;
  if (asked.find !== '' && only !== undefined && checkouts.length === 1 && nextCursor === null) {
    return sendSeeOther(roomPath(place, `/checkouts/${only.id}`));
  }
  const path = roomPath(place, '/checkouts');
  const listed = checkouts.map((record) => ({ what: listItem(visit, record) }));
  const view = askedQuery(asked);
  const older = new URLSearchParams([...new URLSearchParams(view), ['after', nextCursor ?? '']]);
  const isNone = listed.length === 0 && nextCursor === null;
  const body = html`${faultNote(isNone && asked.find !== '' ? texts.noneFound : undefined)}
${await viewTabs(app, visit, asked)}
<section class="card">${filterForm(visit, path, asked)}${saveViewForm(app, visit, asked)}
${isNone ? html`<p>${texts.none}</p>` : rows(listed)}
${looked !== undefined && html`<p class="hint" id="looked">${language.texts.requests.looked(`${looked}`)}</p>`}
<p class="ways"><a class="quiet" href="${path}">${texts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${texts.older}</a>`
  }${
    asked.find === '' &&
    mayAct(place.role, 'report') &&
    html`<a class="quiet" id="csv" href="${`${roomPath(place, '/checkout-files')}?${view}`}">${texts.asCsv}</a>`
  }</p></section>`;
  return sendPage(
    app,
    dashboardPage({ visit, place, title: texts.title, body, room: 'checkouts' }),
  );
}

async function listAsked(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  asked: AskedCheckouts,
): ReturnType<typeof listCheckouts> {
  const { find: wanted } = asked;
  const filter = filterOf(asked);
  const cursor = readCursor(context.req.query('after'));
  if (wanted !== '') return searchCheckouts(app, visit, { wanted, filter, cursor, most: SHOWN });
  return listCheckouts(app, visit.place, filter, { cursor, limit: SHOWN });
}

/** Asks by address, so that a view can be kept as a bookmark. */
function filterForm({ language }: ShopVisit, path: string, asked: AskedCheckouts): Html {
  const { checkouts: texts, reports } = language.texts;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === asked.state && html` selected`}>${label}</option>`;
  const day = (name: 'from' | 'to') => html`<p class="field">
<label class="label" for="${name}">${reports[name]}</label>
<input id="${name}" name="${name}" type="date" value="${asked[name]}"></p>`;
  return html`<form method="get" action="${path}" class="filter views" role="search">
<p class="field"><label class="label" for="find">${texts.find}</label>
<input id="find" name="find" type="search" value="${asked.find}" maxlength="${WANTED_MOST}"
 autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="find-hint">
<span class="hint" id="find-hint">${texts.findHint}</span></p>
<p class="field"><label class="label" for="state">${texts.state}</label>
<select id="state" name="state">${option('', texts.all)}${CHECKOUT_STATES.map((state) =>
    option(state, texts.states[state]),
  )}</select></p>
${day('from')}${day('to')}
${button(texts.show, 'show')}</form>`;
}

function listItem({ language, place }: ShopVisit, record: CheckoutRecord): Html {
  const { code, texts } = language;
  const total = moneyText(record.total, record.billingCurrency, code);
  return html`<a class="line" href="${roomPath(place, `/checkouts/${record.id}`)}"><strong>${total}</strong>
<span data-checkout-state="${record.state}">${texts.checkouts.states[record.state]}</span>
<span class="hint"><code>${record.id}</code> ${momentTime(record.createdAt, code)}</span></a>`;
}

async function sendOne(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  fault?: string,
): Promise<Response> {
  const { place, language } = visit;
  const { code } = language;
  const record = await findCheckout(app, place, id);
  if (record === undefined) return sendPage(app, missingPage(pageLanguage(code)));
  const texts = language.texts.checkouts;
  const total = moneyText(record.total, record.billingCurrency, code);
  const asked = { checkoutId: id, most: REFUNDS_MOST };
  const [customer, refunds] = await Promise.all([
    customerLink(app, visit, record),
    record.refunds.length === 0 ? [] : listRefundsOf(app, ownerOf(place), asked),
  ]);
  const body = html`${faultNote(fault)}
<section class="card"><dl class="lines">
${line(texts.state, html`<strong data-checkout-state="${record.state}">${texts.states[record.state]}</strong>`)}
${line(texts.total, total)}
${line(texts.reference, html`<code>${record.id}</code>`)}
${line(texts.created, momentTime(record.createdAt, code))}
${record.completedAt !== undefined && line(texts.completed, momentTime(record.completedAt, code))}
${customer !== undefined && line(language.texts.customers.one, customer)}
${record.meta !== undefined && line(texts.meta, html`<code>${foreignText(record.meta)}</code>`)}
</dl>${actForms(visit, record)}${paidLink(app, visit, record)}</section>
${askedCard(visit, record)}${payCard(app, visit, record)}${sandboxCard(app, visit, record)}
${refunds.length > 0 && refundsCard(app, visit, id, refunds)}
${await timelineCard(app, visit, record, refunds)}`;
  return sendPage(app, dashboardPage({ visit, place, title: total, body, room: 'checkouts' }));
}

/** Of one who was erased the reference alone is left. */
async function customerLink(
  app: PageApp,
  { place }: ShopVisit,
  { customerId: id }: CheckoutRecord,
): Promise<Html | undefined> {
  if (id === undefined) return undefined;
  const customer = await findCustomer(app, place, id);
  if (customer === undefined) return html`<code>${id}</code>`;
  return html`<a href="${roomPath(place, `/customers/${customer.id}`)}">${foreignText(customer.email)}</a>`;
}

/** Only what the role may and the state allows. */
function actForms(visit: ShopVisit, { id, state }: CheckoutRecord): Html {
  const { place, language } = visit;
  const texts = language.texts.checkouts;
  const path = (act: string) => roomPath(place, `/checkouts/${id}/${act}`);
  const isUnpaid = state === 'NEW' || state === 'AWAITING_PAYMENT' || state === 'EXPIRED';
  const mayAccept = state === 'UNDERPAID' && mayAct(place.role, 'decide-checkout');
  const isPaid = state === 'UNDERPAID' || state === 'COMPLETED';
  return html`${
    mayAccept &&
    formOf(
      visit,
      path('accept'),
      html`<p class="hint">${texts.acceptHint}</p>${button(texts.accept, 'accept')}`,
    )
  }${
    isUnpaid &&
    mayAct(place.role, 'sell') &&
    formOf(
      visit,
      path('cancel'),
      html`<p class="hint">${texts.cancelHint}</p><button class="quiet" id="cancel">${texts.cancel}</button>`,
    )
  }${
    isPaid &&
    mayAct(place.role, 'refund') &&
    html`<p class="ways"><a class="quiet" id="refund" href="${path('refund')}">${language.texts.moneyActs.refund.open}</a></p>`
  }`;
}

function refundsCard(app: PageApp, visit: ShopVisit, id: string, refunds: readonly Refund[]): Html {
  const { language, place } = visit;
  const mayRefund = mayAct(place.role, 'refund');
  const listed = refunds.map((one) => ({
    what: refundItem(app, visit, one),
    acts: mayRefund && isCancellable(one) ? refundActs(visit, id, one) : undefined,
  }));
  const { checkouts } = language.texts;
  return html`<section class="card" id="refunds"><h2>${checkouts.refunds}</h2>${rows(listed)}</section>`;
}

function refundItem(app: PageApp, visit: ShopVisit, refund: Refund): Html {
  const { language, place } = visit;
  const { checkouts, moneyActs } = language.texts;
  const { id, network, assetId, units, state, transaction, restsUntil, failure } = refund;
  const { claimUrl } = refundView(app, refund);
  const isResting = restsUntil !== undefined && state === 'UNDER_WAY' && transaction === undefined;
  return html`<strong>${assetText(network, assetId, units, language)}</strong>
<span data-refund-state="${state}">${moneyActs.refund.states[state]}</span>
<span class="hint"><code>${id}</code></span>
${linesOf([
  ...accountLines(visit, refund.account),
  // Whoever has the link says where the money goes.
  claimUrl !== null &&
    mayAct(place.role, 'refund') &&
    line(moneyActs.refund.link, html`<code id="claim">${claimUrl}</code>`),
  isResting && line(moneyActs.refund.rests, momentTime(restsUntil, language.code)),
  transaction !== undefined &&
    line(checkouts.transaction, transactionLink(app, visit, network, transaction)),
])}
${failure !== undefined && html`<span class="hint" lang="en">${foreignText(failure)}</span>`}`;
}

/** Whoever was told how to send it may have sent it: the act itself knows. */
function isCancellable({ state, transaction }: Refund): boolean {
  return (state === 'AWAITING_ADDRESS' || state === 'UNDER_WAY') && transaction === undefined;
}

function refundActs(visit: ShopVisit, checkoutId: string, { id }: Refund): Html {
  const { language, place } = visit;
  return formOf(
    visit,
    roomPath(place, `/checkouts/${checkoutId}/refund/cancel`),
    quietButton(language.texts.moneyActs.cancel, 'refund', id),
  );
}
