// Two records of one customer become one: the other one is looked for, both are shown side by side,
// and somebody says that he is sure. It cannot be undone.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { CUSTOMER_FIELDS, type Customer, findCustomer, searchCustomers } from '#people/customer.ts';
import { mergeCustomers, mergedFields, mergeSeen } from '#people/merge-customers.ts';
import { button, checkField, faultNote, formOf, rows, textField } from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/customers/:id/merge';
const FOUND_MOST = 10;
const WANTED_MOST = 100;

export function customerMergeRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'erase', (visit) => {
      const read = (name: string) => context.req.query(name) ?? '';
      const wanted = visibleText(read('find')).slice(0, WANTED_MOST);
      return sendMerge(app, visit, idOf(context), { withId: read('with'), wanted });
    }),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'erase', (visit) => merge(app, context, visit)),
  );
  return routes;
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

/** @throws Refusal invalid `sure` */
async function merge(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, actor } = visit;
  const form = await readVisitForm(app, context, visit);
  const owner = ownerOf(place);
  const read = (name: string) => form.get(name) ?? '';
  const [into, from, seen] = [idOf(context), read('with').slice(0, WANTED_MOST), read('seen')];
  try {
    if (read('sure') !== 'yes') throw new Refusal('invalid', 'sure', 'say that you are sure');
    const act = { ...owner, actor, verb: 'customer-merge', subject: `customer:${into}` };
    await orderOnce(app, visit, form, (within) =>
      doNoted(within, { ...act, details: { from } }, async (inAct) => {
        await mergeCustomers(inAct, owner, { into, from, seen });
        return into;
      }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendMerge(app, visit, into, { withId: from, wanted: '', refusal: error });
  }
  return sendSeeOther(`${roomPath(place, `/customers/${into}`)}?merged=1`);
}

type Asked = {
  /** Id of the other one; empty: not chosen yet. */
  readonly withId: string;
  /** How he is looked for. */
  readonly wanted: string;
  readonly refusal?: Refusal;
};

async function sendMerge(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  { withId, wanted, refusal }: Asked,
): Promise<Response> {
  const { place, language } = visit;
  const { merging } = language.texts;
  const [into, from] = await Promise.all([
    findCustomer(app, place, id),
    withId === '' ? undefined : findCustomer(app, place, withId),
  ]);
  if (into === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  const isPair = from !== undefined && from.id !== into.id;
  const back = roomPath(place, `/customers/${into.id}`);
  const body = html`${faultNote(refusal && faultText(visit, refusal))}
<section class="card"${isPair && html` id="pair"`}>${
    isPair ? pairPart(app, visit, into, from) : await searchPart(app, visit, into, wanted)
  }<p class="ways"><a class="quiet" href="${back}">${language.texts.shell.back}</a></p></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = merging;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'customers' }));
}

function faultText({ language }: ShopVisit, { code }: Refusal): string {
  const { merging, customers, moneyActs, faults } = language.texts;
  const known: Readonly<Record<string, string>> = {
    sure: customers.notSure,
    customer_changed: merging.changed,
    customer_merged_often: merging.most,
    form_used: moneyActs.faults.formUsed,
    form_token: moneyActs.faults.formUsed,
  };
  return known[code] ?? faults.gone;
}

/** The other one is looked for as in the list of customers. */
async function searchPart(
  app: PageApp,
  { place, language }: ShopVisit,
  { id }: Customer,
  wanted: string,
): Promise<Html> {
  const { merging, customers, checkouts } = language.texts;
  const path = roomPath(place, `/customers/${id}/merge`);
  const asked = { begins: wanted, most: FOUND_MOST };
  const found = wanted === '' ? [] : await searchCustomers(app, place, asked);
  const others = found.filter((one) => one.id !== id);
  const listed = others.map((one) => ({
    what: html`<a class="line" href="${`${path}?with=${one.id}`}">
<strong>${foreignText(one.email)}</strong>
<span>${foreignText(nameText(one))}</span><span class="hint"><code>${one.id}</code></span></a>`,
  }));
  return html`<p>${merging.hint}</p>
<form method="get" action="${path}" class="filter" role="search">${textField({
    ...{ name: 'find', label: customers.find, value: wanted, type: 'search' },
    ...{ maxLength: WANTED_MOST, isRequired: false },
  })}${button(checkouts.show, 'show')}</form>
${wanted !== '' && (listed.length === 0 ? html`<p>${customers.noneFound}</p>` : rows(listed))}`;
}

function nameText({ firstname, lastname, company }: Customer): string {
  return [firstname, lastname, company].filter((part) => part).join(' ');
}

/** Both side by side, what stays and what goes, and the form that does it. */
function pairPart(app: PageApp, visit: ShopVisit, into: Customer, from: Customer): Html {
  const { place, language } = visit;
  const { merging, customers, checkouts } = language.texts;
  const path = (id: string) => roomPath(place, `/customers/${id}/merge`);
  const after = mergedFields(into, from);
  const known = [...CUSTOMER_FIELDS, 'meta' as const].filter((name) => into[name] || from[name]);
  const row = (label: string, ...cells: readonly (Html | string)[]) =>
    html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  const value = (one: Customer, name: (typeof known)[number]) => {
    const said = one[name];
    if (!said) return html`–`;
    if (said === after[name]) return html`<strong>${foreignText(said)}</strong>`;
    return html`<s>${foreignText(said)}</s> <span class="hint">${merging.goes}</span>`;
  };
  const madeAt = ({ createdAt }: Customer) => momentTime(createdAt, language.code);
  return html`<p>${merging.pairHint}</p>
<table class="compare"><thead><tr><td></td><th scope="col">${merging.stays}</th><th scope="col">${merging.other}</th></tr></thead>
<tbody>${known.map((name) =>
    row(
      name === 'meta' ? checkouts.meta : customers.fields[name],
      value(into, name),
      value(from, name),
    ),
  )}
${row(checkouts.reference, html`<code>${into.id}</code>`, html`<code>${from.id}</code>`)}
${row(checkouts.created, madeAt(into), madeAt(from))}
</tbody></table>
<p class="ways"><a class="quiet" id="turn" href="${`${path(from.id)}?with=${into.id}`}">${merging.turn}</a></p>
<p class="warning">${merging.forGood}</p>
${formOf(visit, path(into.id), [
  onceField(app),
  html`<input type="hidden" name="with" value="${from.id}">
<input type="hidden" name="seen" value="${mergeSeen(into, from)}">`,
  checkField({ name: 'sure', label: customers.sure, isOn: false }),
  button(merging.merge, 'merge'),
])}`;
}
