// Invoices that were paid a second time: both payments of each, the refund of the later one, and
// for what was settled in another way a form that says so with the reason. It waits no more then.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { type Bill, listBillsOfCheckouts } from '#billing/bill.ts';
import {
  listPaidAgain,
  listSeenTo,
  type PaidAgain,
  SEEN_TO_REASON_MAX,
  seeToPaidAgain,
} from '#billing/paid-again.ts';
import { momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { button, doneNote, faultNote, formOf, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { actorText, line, linesOf, ownerOf } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/invoices/again';
/** Hardly anybody has two of them. */
const SHOWN = 50;

export function paidAgainRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-sales', (visit) =>
      sendList(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'decide-checkout', (visit) => seeTo(app, context, visit)),
  );
  return routes;
}

function pathIn({ place }: ShopVisit): string {
  return roomPath(place, '/invoices/again');
}

type Tried = { readonly checkoutId: string; readonly reason: string; readonly refusal: Refusal };

async function seeTo(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const given = { checkoutId: form.get('checkout') ?? '', reason: form.get('reason') ?? '' };
  try {
    await seeToPaidAgain(app, { ...ownerOf(visit.place), actor: visit.actor }, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendList(app, visit, { tried: { ...given, refusal: error } });
  }
  return sendSeeOther(`${pathIn(visit)}?done=1`);
}

async function sendList(
  app: PageApp,
  visit: ShopVisit,
  { tried, isDone }: { readonly tried?: Tried; readonly isDone?: boolean },
): Promise<Response> {
  const { place, language } = visit;
  const { invoices: texts, today, shell } = language.texts;
  const waiting = await listPaidAgain(app.db, place, SHOWN);
  const bills = await listBillsOfCheckouts(
    app.db,
    waiting.map(({ checkoutId }) => checkoutId),
  );
  const cards = waiting.map((one) =>
    card(visit, one, { bill: bills.find(({ id }) => id === one.billId), tried }),
  );
  const { label: title, hint } = today.needs['bill-again'];
  const { reasonMissing, changed } = texts.again;
  const fault = tried?.refusal.code === 'seen_to_reason' ? reasonMissing : changed;
  const body = html`${faultNote(tried && fault)}
${doneNote(isDone === true ? shell.done : undefined)}
<section class="card"><p class="hint">${hint}</p>
${cards.length === 0 && html`<p>${today.nothingWaits}</p>`}</section>${cards}`;
  const status = tried && STATUS_OF_REFUSAL[tried.refusal.kind];
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'invoices' }));
}

type Known = { readonly bill: Bill | undefined; readonly tried: Tried | undefined };

function card(visit: ShopVisit, one: PaidAgain, { bill, tried }: Known): Html {
  const { place, language } = visit;
  const { invoices: texts, checkouts } = language.texts;
  const link = (path: string, label: string) =>
    html`<a href="${roomPath(place, path)}"><code>${label}</code></a>`;
  const paidBy = (label: string, id: string) => line(label, link(`/checkouts/${id}`, id));
  const name = bill?.name ?? one.billId;
  return html`<section class="card" data-again="${one.checkoutId}"><h2>${name}</h2>
${linesOf([
  bill !== undefined &&
    line(checkouts.total, moneyText(bill.total, bill.billingCurrency, language.code)),
  bill !== undefined && line(texts.buyer, foreignText(bill.buyer.name)),
  line(texts.number, link(`/invoices/${one.billId}`, name)),
  paidBy(texts.again.first, one.paidBy),
  paidBy(texts.again.second, one.checkoutId),
  line(texts.again.since, momentTime(one.notedAt, language.code)),
])}${acts(visit, one, tried)}</section>`;
}

/** Only what the role may. */
function acts(visit: ShopVisit, { checkoutId }: PaidAgain, tried: Tried | undefined): Html {
  const { place, language } = visit;
  const { invoices: texts, moneyActs } = language.texts;
  const refundPath = roomPath(place, `/checkouts/${checkoutId}/refund`);
  const reason = {
    ...{ name: 'reason', id: `reason-${checkoutId}`, maxLength: SEEN_TO_REASON_MAX },
    ...{ label: texts.again.reason, hint: texts.again.reasonHint },
    value: tried?.checkoutId === checkoutId ? tried.reason : undefined,
  };
  return html`${
    mayAct(place.role, 'refund') &&
    html`<p class="ways"><a class="quiet" href="${refundPath}">${moneyActs.refund.open}</a></p>`
  }${
    mayAct(place.role, 'decide-checkout') &&
    formOf(visit, pathIn(visit), [
      html`<input type="hidden" name="checkout" value="${checkoutId}">`,
      textField(reason),
      button(texts.again.seenTo, `seen-to-${checkoutId}`),
    ])
  }`;
}

/** On the invoice itself: that it waits, or who has seen to it and why. */
export async function paidAgainNote(
  app: PageApp,
  visit: ShopVisit,
  billId: string,
  paidBy: readonly string[],
): Promise<Html> {
  const { place, language } = visit;
  const { invoices: texts } = language.texts;
  const seenTo = await listSeenTo(app.db, place, billId);
  const said = await Promise.all(
    seenTo.map(async ({ seenToAt, seenToBy = '', seenToReason = '' }) => {
      const at = seenToAt && momentTime(seenToAt, language.code);
      return html`<p class="notice" data-seen-to>${texts.again.seenTo}: ${foreignText(seenToReason)}
<span class="hint">${await actorText(app, visit, seenToBy)}, ${at}</span></p>`;
    }),
  );
  const waits = paidBy.length - 1 > seenTo.length;
  return html`${
    waits &&
    html`<p class="warning" id="paid-again">${texts.paidAgain} <a href="${pathIn(visit)}">${texts.again.open}</a></p>`
  }${said}`;
}
