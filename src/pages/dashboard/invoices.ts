// Invoices that the shop sends: the newest first, and one of them with what can be done with it.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import {
  type Bill,
  billTokenSubject,
  findBill,
  findCancellation,
  isIssued,
  listBills,
} from '#billing/bill.ts';
import { listToldBillMails } from '#billing/bill-mails.ts';
import type { BillStanding } from '#billing/decide-bill.ts';
import { discardBill } from '#billing/draft-bill.ts';
import { cancelBill, issueBill } from '#billing/issue-bill.ts';
import { readStanding, readStandings } from '#billing/pay-bill.ts';
import { pageToken } from '#checkout/page-token.ts';
import { listMailsOf } from '#mail/mail.ts';
import { getSeller } from '#merchant/seller.ts';
import { readBillView, sendBillPdf } from '#pages/billing/bill-routes.ts';
import { readPaperLook } from '#pages/branding/paper-brand.ts';
import { dayText, momentTime, moneyText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import type { PageApp } from '#pages/page-app.ts';
import type { PaperPrinter } from '#pages/receipt/print-paper.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct, type StaffAct } from '#staff/role.ts';
import { billMailCause, remindBill } from '#status-mail/bill-mail.ts';
import { button, faultNote, formOf, readCursor, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { paidAgainNote } from './paid-again.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/invoices';
const ONE = `${LIST}/:id`;
const SHOWN = 25;

export function invoicesRoutes(app: PageApp, printer: PaperPrinter): Hono {
  const routes = new Hono();
  routes.get(LIST, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendList(app, context, visit)),
  );
  routes.get(`${ONE}/pdf`, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendPdf(app, printer, visit, idOf(context))),
  );
  routes.get(ONE, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendOne(app, visit, idOf(context))),
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

/** Answers which invoice is shown then; undefined: the list. */
type Act = (app: PageApp, visit: ShopVisit, id: string) => Promise<string | undefined>;

const ACTS: readonly (readonly [path: string, asked: StaffAct, act: Act])[] = [
  ['issue', 'sell', issue],
  [
    'cancel',
    'decide-checkout',
    async (app, visit, id) => (await cancelBill(app, makerOf(visit), id)).id,
  ],
  ['discard', 'sell', discard],
  ['remind', 'sell', remind],
];

/** With the logo and the colour of this moment: it keeps them. */
async function issue(app: PageApp, visit: ShopVisit, id: string): Promise<string> {
  const { page, logo } = await getSeller(app.db, visit.place.merchantId);
  const look = await readPaperLook(app.db, { settings: page, logo });
  return (await issueBill(app, makerOf(visit), id, look)).id;
}

async function discard(app: PageApp, visit: ShopVisit, id: string): Promise<undefined> {
  const { merchantId, environment, actor } = makerOf(visit);
  const act = { actor, merchantId, environment, verb: 'bill-discard', subject: `bill:${id}` };
  await doNoted(app, act, (within) => discardBill(within, visit.place, id));
}

async function remind(app: PageApp, visit: ShopVisit, id: string): Promise<string> {
  await remindBill({ ...app, writeBillLetter: billLetter }, makerOf(visit), id);
  return id;
}

function makerOf({ place: { merchantId, environment }, actor }: ShopVisit) {
  return { merchantId, environment, actor };
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

/** Refusals with words of their own. */
const TOLD = ['bill_sender', 'bill_no_address', 'bill_left', 'bill_reminded'] as const;

async function actOn(app: PageApp, visit: ShopVisit, id: string, act: Act): Promise<Response> {
  try {
    const shown = await act(app, visit, id);
    return sendSeeOther(
      roomPath(visit.place, `/invoices${shown === undefined ? '' : `/${shown}`}`),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    const { faults } = visit.language.texts.invoices;
    const code = TOLD.find((one) => one === error.code);
    return sendOne(app, visit, id, faults[code ?? 'bill_state']);
  }
}

async function sendList(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { invoices: texts, checkouts } = language.texts;
  const { bills, nextCursor } = await listBills(app.db, place, {
    cursor: readCursor(context.req.query('after')),
    limit: SHOWN,
  });
  const standings = await readStandings(app, bills);
  const listed = bills.map((bill, index) => ({ what: listItem(visit, bill, standings[index]) }));
  const path = roomPath(place, '/invoices');
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  const body = html`<p class="ways">${
    mayAct(place.role, 'sell') &&
    html`<a class="button" id="create" href="${`${path}/new`}">${texts.create}</a>`
  }${
    mayAct(place.role, 'settings') &&
    html`<a class="quiet" id="sender" href="${`${path}/sender`}">${texts.sender}</a>`
  }</p>
<section class="card">${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }</p></section>`;
  return sendPage(app, dashboardPage({ visit, place, title: texts.title, body, room: 'invoices' }));
}

function listItem(
  { language, place }: ShopVisit,
  bill: Bill,
  standing: BillStanding | undefined,
): Html {
  const { code, texts } = language;
  return html`<a class="line" href="${roomPath(place, `/invoices/${bill.id}`)}"><strong>${totalOf(bill, code)}</strong>
<span data-bill-state="${standing?.state}">${stateText(texts.invoices, bill, standing)}</span>
<span class="hint">${bill.name !== undefined && html`<code>${bill.name}</code> `}${foreignText(bill.buyer.name)}${
    bill.dueOn !== undefined &&
    bill.kind === 'INVOICE' &&
    html` · ${texts.invoices.due} ${dayText(bill.dueOn, code)}`
  }</span></a>`;
}

type Texts = ShopVisit['language']['texts']['invoices'];

function stateText(texts: Texts, bill: Bill, standing: BillStanding | undefined): string {
  if (bill.kind === 'CANCELLATION') return texts.document;
  if (standing === undefined) return texts.states[bill.state];
  const { state, isUnderWay, isOverdue } = standing;
  if (state === 'ISSUED' && isUnderWay) return texts.underWay;
  return state === 'ISSUED' && isOverdue ? texts.overdue : texts.states[state];
}

function totalOf({ total, billingCurrency }: Bill, code: ShopVisit['language']['code']): string {
  return moneyText(total, billingCurrency, code);
}

async function sendOne(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  fault?: string,
): Promise<Response> {
  const { place, language } = visit;
  const { code, texts: all } = language;
  const bill = await findBill(app.db, place, id);
  if (bill === undefined) return sendPage(app, missingPage(pageLanguage(code)));
  const texts = all.invoices;
  const [standing, cancellation] = await Promise.all([
    readStanding(app, bill),
    findCancellation(app.db, id),
  ]);
  const mayRemind = app.hasMail && standing.state === 'ISSUED' && !standing.isUnderWay;
  const line = (label: string, value: Html | string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const other = (label: string, billId: string, name: string) =>
    line(label, html`<a href="${roomPath(place, `/invoices/${billId}`)}">${name}</a>`);
  const body = html`${faultNote(fault)}
${standing.paidBy.length > 1 && (await paidAgainNote(app, visit, id, standing.paidBy))}
<section class="card"><dl class="lines">
${line(all.checkouts.state, html`<strong data-bill-state="${standing.state}">${stateText(texts, bill, standing)}</strong>`)}
${bill.name !== undefined && line(texts.number, html`<code>${bill.name}</code>`)}
${line(all.checkouts.total, totalOf(bill, code))}
${line(texts.buyer, foreignText(bill.buyer.name))}
${bill.issuedOn !== undefined && line(texts.date, dayText(bill.issuedOn, code))}
${bill.dueOn !== undefined && bill.kind === 'INVOICE' && line(texts.due, dayText(bill.dueOn, code))}
${cancellation?.name !== undefined && other(texts.cancelledBy, cancellation.id, cancellation.name)}
${bill.cancels !== undefined && other(texts.cancels, bill.cancels, bill.cancels)}
${standing.paidBy.map((checkoutId) =>
  line(
    texts.paidBy,
    html`<a href="${roomPath(place, `/checkouts/${checkoutId}`)}"><code>${checkoutId}</code></a>`,
  ),
)}
${await pageLine(app, bill, texts)}
${await mailLines(app, visit, bill)}
</dl>${pdfLink(visit, bill)}${actForms(visit, bill, mayRemind)}</section>`;
  const title = bill.name ?? texts.states.DRAFT;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'invoices' }));
}

async function sendPdf(
  app: PageApp,
  printer: PaperPrinter,
  { place, language }: ShopVisit,
  id: string,
): Promise<Response> {
  const bill = await findBill(app.db, place, id);
  if (bill !== undefined && isIssued(bill)) return sendBillPdf(app, printer, bill);
  return sendPage(app, missingPage(pageLanguage(language.code)));
}

/** Where the customer reads and pays it. */
async function pageLine(app: PageApp, bill: Bill, texts: Texts): Promise<Html | undefined> {
  if (!isIssued(bill)) return undefined;
  const token = pageToken(app.keyring, billTokenSubject(bill.id));
  const { url } = await readBillView(app, bill, token, bill.language);
  return html`<div><dt>${texts.page}</dt><dd><a id="page" href="${url}"><code>${url}</code></a></dd></div>`;
}

/** Mails about it that are known still, in the order of their days. */
async function mailLines(
  app: PageApp,
  { language: { code, texts } }: ShopVisit,
  { id }: Bill,
): Promise<Html[]> {
  const told = await listToldBillMails(app.db, id);
  const mails = await listMailsOf(
    app.db,
    told.map((one) => billMailCause(one, id)),
  );
  return told.flatMap((one) => {
    const mail = mails.find(({ causeKey }) => causeKey === billMailCause(one, id));
    if (mail === undefined) return [];
    const { kind } = one;
    const label = kind === 'BILL_REMINDER' ? texts.invoices.reminder : texts.mails.kinds[kind];
    const said = `${texts.people.mailed[mail.state]}: `;
    const at = momentTime(mail.finishedAt ?? mail.createdAt, code);
    return [html`<div data-mail="${kind}"><dt>${label}</dt><dd>${said}${at}</dd></div>`];
  });
}

function pdfLink({ place, language }: ShopVisit, bill: Bill): Html | undefined {
  if (!isIssued(bill)) return undefined;
  const { pdf } = pageLanguage(language.code).texts.bill;
  return html`<p class="ways"><a class="quiet" id="pdf" href="${roomPath(place, `/invoices/${bill.id}/pdf`)}">${pdf}</a></p>`;
}

/** Only what the role may and the state allows. */
function actForms(visit: ShopVisit, { id, state, kind }: Bill, mayRemind: boolean): Html {
  const { place, language } = visit;
  const texts = language.texts.invoices;
  const path = (act: string) => roomPath(place, `/invoices/${id}/${act}`);
  const isDraft = state === 'DRAFT' && mayAct(place.role, 'sell');
  const mayCancel =
    state === 'ISSUED' && kind === 'INVOICE' && mayAct(place.role, 'decide-checkout');
  const quiet = (act: string, label: string) =>
    html`<button class="quiet" id="${act}">${label}</button>`;
  return html`${
    isDraft &&
    html`${formOf(
      visit,
      path('issue'),
      html`<p class="hint">${texts.issueHint}</p>${button(texts.issue, 'issue')}`,
    )}${formOf(visit, path('discard'), quiet('discard', texts.discard))}`
  }${
    mayRemind &&
    kind === 'INVOICE' &&
    mayAct(place.role, 'sell') &&
    formOf(
      visit,
      path('remind'),
      html`<p class="hint">${texts.remindHint}</p>${quiet('remind', texts.remind)}`,
    )
  }${
    mayCancel &&
    formOf(
      visit,
      path('cancel'),
      html`<p class="hint">${texts.cancelHint}</p>${quiet('cancel', texts.cancel)}`,
    )
  }`;
}
