import { forgetAnswers } from '#checkout/create-checkout.ts';
// Customers of a shop: found by how they are called, and one of them with everything that he
// bought, paid and got back. He can be taken along as a file, and erased: what is personal goes
// for good, the ledger stays as it is, and the trail says who did it.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import { assetText, momentTime, moneyText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  CUSTOMER_FIELDS,
  type Customer,
  eraseCustomer,
  findCustomer,
  listCustomerIds,
  listCustomers,
  searchCustomers,
} from '#people/customer.ts';
import { mayAct } from '#staff/role.ts';
import {
  button,
  checkField,
  doneNote,
  faultNote,
  formOf,
  readCursor,
  rows,
  textField,
} from './controls.ts';
import { ofCustomer } from './customer-files.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/customers';
const ONE = `${LIST}/:id`;
const SHOWN = 25;
/** More are told to write more of the name. */
const FOUND_MOST = 50;
const WANTED_MOST = 100;

export function customersRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(LIST, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendList(app, context, visit)),
  );
  routes.get(ONE, (context) =>
    withShop(app, context, 'see-sales', (visit) => sendOne(app, context, visit)),
  );
  routes.post(ONE, (context) =>
    withShop(app, context, 'erase', (visit) => erase(app, context, visit)),
  );
  return routes;
}

/** Of a customer without a name, what he is written to. */
function nameOf({ firstname, lastname, company, email }: Customer): string {
  const person = [firstname, lastname].filter((part) => part !== null && part !== '').join(' ');
  return person || company || email;
}

async function sendList(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { customers: texts, checkouts } = language.texts;
  const wanted = visibleText(context.req.query('find') ?? '').slice(0, WANTED_MOST);
  const { customers, nextCursor } = await findAll(app, context, visit, wanted);
  const path = roomPath(place, '/customers');
  const none = html`<p>${wanted === '' ? texts.none : texts.noneFound}</p>`;
  const listed = customers.map((one) => ({ what: listItem(visit, one) }));
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  const file = (format: string, label: string) =>
    html`<a class="quiet" href="${roomPath(place, `/customer-files?format=${format}`)}">${label}</a>`;
  const body = html`${doneNote(context.req.query('done') === '1' ? texts.erased : undefined)}
<section class="card"><form method="get" action="${path}" class="filter" role="search">
<p class="field"><label class="label" for="find">${texts.find}</label>
<input id="find" name="find" type="search" value="${wanted}" maxlength="${WANTED_MOST}"
 autocomplete="off" autocapitalize="none" spellcheck="false"></p>${button(checkouts.show, 'show')}</form>
${listed.length === 0 ? none : rows(listed)}
${customers.length === FOUND_MOST && wanted !== '' && html`<p class="hint">${texts.more}</p>`}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }${mayAct(place.role, 'report') && [file('csv', texts.allAsCsv), file('json', texts.allAsJson)]}</p></section>`;
  const title = texts.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'customers' }));
}

async function findAll(app: PageApp, context: Context, { place }: ShopVisit, wanted: string) {
  if (wanted === '') {
    const cursor = readCursor(context.req.query('after'));
    return listCustomers(app, place, { limit: SHOWN, cursor });
  }
  const customers = await searchCustomers(app, place, { begins: wanted, most: FOUND_MOST });
  return { customers, nextCursor: null };
}

function listItem({ place, language }: ShopVisit, customer: Customer): Html {
  const { id, email, createdAt } = customer;
  const name = nameOf(customer);
  return html`<a class="line" href="${roomPath(place, `/customers/${id}`)}"><strong>${foreignText(name)}</strong>
${name !== email && html`<span>${foreignText(email)}</span>`}
<span class="hint"><code>${id}</code> ${momentTime(createdAt, language.code)}</span></a>`;
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

/** @throws Refusal invalid `sure` */
async function erase(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, actor } = visit;
  const { merchantId, environment } = place;
  const form = await readVisitForm(app, context, visit);
  const id = idOf(context);
  try {
    if (form.get('sure') !== 'yes') throw new Refusal('invalid', 'sure', 'say that you are sure');
    const subject = `customer:${id}`;
    const act = { actor, merchantId, environment, verb: 'customer-erase', subject };
    await doNoted(app, act, async (within) => {
      await forgetAnswers(within, place, await listCustomerIds(within.db, place, id));
      await eraseCustomer(within, place, id);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendOne(app, context, visit, error);
  }
  return sendSeeOther(`${roomPath(place, '/customers')}?done=1`);
}

async function sendOne(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const id = idOf(context);
  const customer = await findCustomer(app, place, id);
  if (customer === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  // Another name of his: he has one page.
  if (customer.id !== id) return sendSeeOther(roomPath(place, `/customers/${customer.id}`));
  const [{ checkouts, nextCursor }, ids] = await Promise.all([
    listCheckouts(app, place, ofCustomer(id), {
      cursor: readCursor(context.req.query('after')),
      limit: SHOWN,
    }),
    listCustomerIds(app.db, place, id),
  ]);
  const isMerged = context.req.query('merged') === '1';
  const body = html`${faultNote(refusal && refusalText(language.texts, refusal))}
${doneNote(isMerged ? language.texts.merging.done : undefined)}
${detailsCard(visit, customer, ids.slice(1))}${historyCard(visit, { id, checkouts, nextCursor })}
${addressesCard(visit, checkouts)}${mergeCard(visit, id)}${eraseCard(visit, id)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = visibleText(nameOf(customer));
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'customers' }));
}

/** `others`: ids of records that became one with his. */
function detailsCard(
  { place, language }: ShopVisit,
  customer: Customer,
  others: readonly string[],
): Html {
  const { customers: texts, checkouts, merging } = language.texts;
  const line = (label: string, value: Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const given = CUSTOMER_FIELDS.flatMap((field) => {
    const value = customer[field];
    return value === null || value === '' ? [] : line(texts.fields[field], foreignText(value));
  });
  const { id, meta, createdAt } = customer;
  const file = (format: string, label: string) =>
    html`<a class="quiet" href="${roomPath(place, `/customer-files/${id}?format=${format}`)}">${label}</a>`;
  return html`<section class="card" id="details"><dl class="lines">${given}
${meta !== null && line(checkouts.meta, html`<code>${foreignText(meta)}</code>`)}
${line(checkouts.reference, html`<code>${id}</code>`)}
${others.length > 0 && line(merging.names, html`<code>${others.join(', ')}</code>`)}
${line(checkouts.created, momentTime(createdAt, language.code))}</dl>
${
  mayAct(place.role, 'report') &&
  html`<p class="ways">${file('json', texts.asJson)}${file('csv', texts.asCsv)}</p>`
}</section>`;
}

type History = {
  readonly id: string;
  readonly checkouts: readonly CheckoutRecord[];
  readonly nextCursor: string | null;
};

function historyCard(visit: ShopVisit, { id, checkouts: records, nextCursor }: History): Html {
  const { customers: texts, checkouts } = visit.language.texts;
  const path = roomPath(visit.place, `/customers/${id}`);
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  return html`<section class="card" id="history"><h2>${texts.history}</h2>
${
  records.length === 0
    ? html`<p>${texts.noHistory}</p>`
    : rows(records.map((record) => ({ what: historyItem(visit, record) })))
}${
  nextCursor !== null &&
  html`<p class="ways"><a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a></p>`
}</section>`;
}

function historyItem({ place, language }: ShopVisit, record: CheckoutRecord): Html {
  const { id, total, billingCurrency, state, createdAt, receipts, refunds } = record;
  const { checkouts, customers: texts } = language.texts;
  const { code } = language;
  return html`<a class="line" href="${roomPath(place, `/checkouts/${id}`)}"><strong>${moneyText(total, billingCurrency, code)}</strong>
<span data-checkout-state="${state}">${checkouts.states[state]}</span>
<span class="hint"><code>${id}</code> ${momentTime(createdAt, code)}</span></a>
${receipts.map(({ chain, assetId, units, seenAt }) => {
  const network = networkOf(chain);
  return html`<span class="hint">${texts.paid}: ${assetText(network, assetId, units, language)}, ${getNetwork(network).name}, ${momentTime(seenAt, code)}</span>`;
})}${refunds.map(
  ({ network, assetId, units, createdAt: at }) =>
    html`<span class="hint">${texts.refunded}: ${assetText(network, assetId, units, language)}, ${getNetwork(network).name}, ${momentTime(at, code)}</span>`,
)}`;
}

/** To which something went back to him: of payments nobody learns who sent them. */
function addressesCard({ language }: ShopVisit, records: readonly CheckoutRecord[]): Html {
  const { customers: texts } = language.texts;
  const known = new Map<string, Html>();
  for (const { network, address } of records.flatMap(({ refunds }) => refunds)) {
    if (address === undefined) continue;
    const what = html`<code>${foreignText(address)}</code>
<span class="hint">${getNetwork(network).name}</span>`;
    known.set(`${network} ${address}`, what);
  }
  const listed = Array.from(known.values(), (what) => ({ what }));
  return html`<section class="card" id="addresses"><h2>${texts.addresses}</h2>
${listed.length === 0 ? html`<p>${texts.noAddresses}</p>` : rows(listed)}</section>`;
}

/** Looks for another record of the same customer. */
function mergeCard({ place, language }: ShopVisit, id: string): Html | undefined {
  const { merging, customers: texts } = language.texts;
  if (!mayAct(place.role, 'erase')) return undefined;
  const path = roomPath(place, `/customers/${id}/merge`);
  return html`<section class="card" id="merge-card"><h2>${merging.title}</h2>
<p class="hint">${merging.hint}</p>
<form method="get" action="${path}" class="filter">${textField({
    ...{ name: 'find', label: texts.find, type: 'search', maxLength: WANTED_MOST },
  })}${button(merging.look, 'look-for')}</form></section>`;
}

function eraseCard(visit: ShopVisit, id: string): Html | undefined {
  const { customers: texts } = visit.language.texts;
  if (!mayAct(visit.place.role, 'erase')) return undefined;
  return html`<section class="card" id="erase-card"><h2>${texts.erase}</h2>
<p class="hint">${texts.eraseHint}</p>
${formOf(
  visit,
  roomPath(visit.place, `/customers/${id}`),
  html`${checkField({ name: 'sure', label: texts.sure, isOn: false })}
<button class="quiet" id="erase">${texts.erase}</button>`,
)}</section>`;
}
