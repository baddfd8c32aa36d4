// The form of a new invoice, and of who sends them. Whatever is refused is shown again as it was
// typed. Without a script there are as many lines as are asked for.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { type Bill, type BillParty, findSender, listBills, TAX_CATEGORIES } from '#billing/bill.ts';
import { changeSender, draftBill, FIELD_MOST, NOTE_MOST } from '#billing/draft-bill.ts';
import { listCurrencies } from '#catalog/currency.ts';
import { FALLBACK_LANGUAGE, isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import { createDecimal, decimalToText, multiply, tryParseDecimal } from '#money/decimal.ts';
import { type ExactJson, parseExactJson } from '#money/exact-json.ts';
import { type Html, html } from '#pages/html.ts';
import { type PageLanguage, pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  areaField,
  button,
  checkField,
  doneNote,
  faultNote,
  formOf,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/invoices';
const LINES_FIRST = 3;
const LINES_MORE = 5;
const LINES_MOST = 23;
const AMOUNT_MOST = 40;
const PREFIX_MOST = 16;

type Shown = {
  readonly refusal?: Refusal | undefined;
  readonly typed: URLSearchParams;
  readonly lines?: number;
  readonly isDone?: boolean;
};

export function invoiceFormRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(`${LIST}/new`, (context) =>
    withShop(app, context, 'sell', async (visit) =>
      sendForm(app, visit, { typed: await readDefaults(app, visit) }),
    ),
  );
  routes.post(LIST, (context) =>
    withShop(app, context, 'sell', (visit) => create(app, context, visit)),
  );
  routes.get(`${LIST}/sender`, (context) =>
    withShop(app, context, 'settings', async (visit) => {
      const sender = await findSender(app.db, visit.place.merchantId);
      const typed = new URLSearchParams({ ...sender });
      return sendSender(app, visit, { typed, isDone: context.req.query('done') === '1' });
    }),
  );
  routes.post(`${LIST}/sender`, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  return routes;
}

/** As the last one was: shops bill alike. */
async function readDefaults(app: PageApp, { place, language }: ShopVisit) {
  const { bills } = await listBills(app.db, place, { limit: 1, cursor: undefined });
  const last: Partial<Bill> = bills[0] ?? {};
  return new URLSearchParams({
    currency: last.billingCurrency ?? 'EUR',
    category: last.taxCategory ?? 'S',
    reason: last.taxReason ?? '',
    dueDays: String(last.dueDays ?? 14),
    prefix: last.prefix ?? '',
    language: last.language ?? language.code,
    quantity1: '1',
  });
}

async function create(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const lines = Math.min(Math.max(linesIn(typed), LINES_FIRST), LINES_MOST);
  if (typed.get('act') === 'more') {
    return sendForm(app, visit, { typed, lines: Math.min(lines + LINES_MORE, LINES_MOST) });
  }
  const { place, actor } = visit;
  const { merchantId, environment } = place;
  const act = { actor, merchantId, environment, verb: 'bill-draft' };
  try {
    const { id } = await doNoted(
      app,
      { ...act, subject: (bill: Bill) => `bill:${bill.id}` },
      (within) => draftBill(within, { merchantId, environment }, readRequest(typed, lines)),
    );
    return sendSeeOther(roomPath(place, `/invoices/${id}`));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    return sendForm(app, visit, { typed, lines, refusal: error });
  }
}

function linesIn(typed: URLSearchParams): number {
  const numbers = [...typed.keys()].map((name) => Number(/^item(\d{1,2})$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

function readRequest(typed: URLSearchParams, lines: number): Parameters<typeof draftBill>[2] {
  const wanted = typed.get('language') ?? '';
  const language = isLanguageCode(wanted) ? wanted : FALLBACK_LANGUAGE;
  return {
    charge: readCharge(typed, lines, pageLanguage(language).texts.summary),
    buyer: readParty(typed),
    language,
    taxCategory: TAX_CATEGORIES.find((one) => one === typed.get('category')) ?? 'S',
    taxReason: textOf(typed, 'reason'),
    note: textOf(typed, 'note').replaceAll('\r\n', '\n'),
    dueDays: /^\d{1,3}$/.test(textOf(typed, 'dueDays')) ? Number(textOf(typed, 'dueDays')) : -1,
    prefix: textOf(typed, 'prefix'),
    deliveredOn: textOf(typed, 'delivered'),
  };
}

type Words = PageLanguage['texts']['summary'];

/**
 * As a request for a checkout has it. Lines of which nothing was written are left out. `words`: of
 * the invoice, for what got no name.
 */
function readCharge(typed: URLSearchParams, lines: number, words: Words): ExactJson {
  const numbers = Array.from({ length: lines }, (_, index) => String(index + 1));
  const items = numbers
    .map((number) => ({
      description: textOf(typed, `item${number}`),
      netAmount: amountOf(typed, `price${number}`),
      quantity: amountOf(typed, `quantity${number}`) || '1',
    }))
    .filter(({ description, netAmount }) => description !== '' || netAmount !== '');
  const extra = (name: 'discount' | 'shipping') => {
    const description = textOf(typed, name);
    const netAmount = amountOf(typed, `${name}Amount`);
    return netAmount === '' ? [] : [{ description: description || words[name], netAmount }];
  };
  const percent = amountOf(typed, 'percent');
  const parsed = tryParseDecimal(percent);
  const fraction =
    parsed === undefined ? percent : decimalToText(multiply(parsed, createDecimal(1n, 2)));
  const charge = {
    billingCurrency: textOf(typed, 'currency'),
    lineItems: items,
    discountItems: extra('discount'),
    shippingCostItems: extra('shipping').map((item) => ({
      ...item,
      taxable: typed.get('taxable') === 'yes',
    })),
    taxItems:
      percent === '' ? [] : [{ name: textOf(typed, 'taxName') || words.tax, percent: fraction }],
  };
  const json = parseExactJson(JSON.stringify(charge));
  if (!json.ok) throw new Refusal('invalid', 'bill_charge', json.message);
  return json.value;
}

function textOf(typed: URLSearchParams, name: string): string {
  return (typed.get(name) ?? '').trim();
}

/** A comma is a point, where it can be nothing else. */
function amountOf(typed: URLSearchParams, name: string): string {
  const text = textOf(typed, name);
  return /^-?\d*,\d+$/.test(text) ? text.replace(',', '.') : text;
}

const PARTY = ['name', 'street', 'zip', 'city', 'country', 'email', 'vatId', 'taxNumber'] as const;

function readParty(typed: URLSearchParams): BillParty {
  const fields = PARTY.map((name) => [name, textOf(typed, name)] as const);
  const party = Object.fromEntries(fields) as Record<(typeof PARTY)[number], string>;
  return { ...party, country: party.country.toUpperCase() };
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId } = place;
  const act = { actor, merchantId, verb: 'bill-sender', subject: `merchant:${merchantId}` };
  try {
    await doNoted(app, act, (within) => changeSender(within, merchantId, readParty(typed)));
    return sendSeeOther(`${roomPath(place, '/invoices/sender')}?done=1`);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    return sendSender(app, visit, { typed, refusal: error });
  }
}

function faultText({ language: { texts } }: ShopVisit, refusal: Refusal): string {
  const faults: Readonly<Record<string, string>> = texts.invoices.faults;
  return faults[refusal.code] ?? refusalText(texts, refusal);
}

async function sendForm(
  app: PageApp,
  visit: ShopVisit,
  { refusal, typed, lines = LINES_FIRST }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const texts = language.texts.invoices;
  const hasSender = (await findSender(app.db, place.merchantId)) !== undefined;
  const body = html`${faultNote(refusal && faultText(visit, refusal))}
${
  !hasSender &&
  html`<p class="notice" id="no-sender">${texts.senderFirst}</p>
<p class="ways"><a class="quiet" href="${roomPath(place, '/invoices/sender')}">${texts.sender}</a></p>`
}
<section class="card">${formOf(visit, roomPath(place, '/invoices'), [
    // What is sent with the key Enter.
    html`<button hidden>${texts.make}</button>`,
    html`<h2>${texts.buyer}</h2>`,
    ...partyFields(visit, typed, ['vatId']),
    html`<h2>${texts.items}</h2>`,
    ...Array.from({ length: lines }, (_, index) => lineFields(texts, typed, index + 1)),
    html`<p class="ways"><button class="quiet" id="more" name="act" value="more" formnovalidate>${texts.more}</button></p>`,
    ...moneyFields(visit, typed),
    html`<h2>${texts.terms}</h2>`,
    ...termFields(visit, typed),
    button(texts.make, 'make'),
  ])}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: texts.create, body, status, room: 'invoices' }),
  );
}

type Texts = ShopVisit['language']['texts']['invoices'];

function lineFields(texts: Texts, typed: URLSearchParams, number: number): Html {
  const field = (name: string, label: string, maxLength: number, isNumber: boolean) =>
    textField({
      name: `${name}${number}`,
      label: `${label} (${number})`,
      value: textOf(typed, `${name}${number}`),
      isRequired: false,
      maxLength,
      ...(isNumber && { inputmode: 'decimal' }),
    });
  return html`<div class="stack">${field('item', texts.item, FIELD_MOST, false)}
${field('price', texts.price, AMOUNT_MOST, true)}
${field('quantity', texts.quantity, AMOUNT_MOST, true)}</div>`;
}

function partyFields(
  { language }: ShopVisit,
  typed: URLSearchParams,
  ids: readonly ('vatId' | 'taxNumber')[],
): Html[] {
  const texts = language.texts.invoices;
  const field = (name: (typeof PARTY)[number], isRequired: boolean, hint?: string) =>
    textField({
      name,
      label: texts[name],
      value: textOf(typed, name),
      isRequired,
      maxLength: FIELD_MOST,
      ...(hint !== undefined && { hint }),
    });
  return [
    field('name', true),
    field('street', false),
    field('zip', false),
    field('city', false),
    field('country', true, texts.countryHint),
    field('email', false, ids.includes('taxNumber') ? undefined : texts.emailHint),
    ...ids.map((name) => field(name, false)),
  ];
}

function moneyFields({ language }: ShopVisit, typed: URLSearchParams): Html[] {
  const texts = language.texts.invoices;
  const fiat = listCurrencies().filter(({ billing, type }) => billing && type === 'FIAT');
  const field = (name: string, label: string, isNumber: boolean, hint?: string) =>
    textField({
      name,
      label,
      value: textOf(typed, name),
      isRequired: false,
      maxLength: isNumber ? AMOUNT_MOST : FIELD_MOST,
      ...(isNumber && { inputmode: 'decimal' }),
      ...(hint !== undefined && { hint }),
    });
  const amount = (label: string) => `${label}: ${language.texts.checkouts.total}`;
  return [
    field('discount', texts.discount, false),
    field('discountAmount', amount(texts.discount), true),
    field('shipping', texts.shipping, false),
    field('shippingAmount', amount(texts.shipping), true),
    checkField({
      name: 'taxable',
      label: texts.shippingTaxed,
      isOn: typed.get('taxable') === 'yes',
    }),
    selectField({
      name: 'currency',
      label: texts.currency,
      value: textOf(typed, 'currency'),
      options: fiat.map(({ assetCode, name }) => [assetCode, `${assetCode} · ${name}`]),
    }),
    html`<h2>${texts.tax}</h2>`,
    selectField({
      name: 'category',
      label: texts.category,
      value: textOf(typed, 'category'),
      options: TAX_CATEGORIES.map((one) => [one, texts.categories[one]]),
    }),
    field('taxName', texts.taxName, false),
    field('percent', texts.percent, true),
    field('reason', texts.reason, false, texts.reasonHint),
  ];
}

function termFields({ language }: ShopVisit, typed: URLSearchParams): Html[] {
  const texts = language.texts.invoices;
  return [
    textField({
      name: 'dueDays',
      label: texts.dueDays,
      value: textOf(typed, 'dueDays'),
      inputmode: 'numeric',
      maxLength: 3,
    }),
    html`<p class="field"><label class="label" for="delivered">${texts.delivered}</label>
<input id="delivered" name="delivered" type="date" value="${textOf(typed, 'delivered')}" aria-describedby="delivered-hint">
<span class="hint" id="delivered-hint">${texts.deliveredHint}</span></p>`,
    textField({
      name: 'prefix',
      label: texts.prefix,
      value: textOf(typed, 'prefix'),
      hint: texts.prefixHint,
      isRequired: false,
      maxLength: PREFIX_MOST,
    }),
    areaField({
      name: 'note',
      label: texts.note,
      value: typed.get('note') ?? '',
      maxLength: NOTE_MOST,
    }),
    selectField({
      name: 'language',
      label: texts.language,
      value: textOf(typed, 'language'),
      options: LANGUAGES.map(({ languageCode, name }) => [languageCode, name]),
    }),
  ];
}

function sendSender(app: PageApp, visit: ShopVisit, { refusal, typed, isDone }: Shown): Response {
  const { place, language } = visit;
  const { invoices: texts, shell } = language.texts;
  const body = html`${faultNote(refusal && faultText(visit, refusal))}
${doneNote(isDone === true ? shell.done : undefined)}
<p class="ways"><a class="quiet" href="${roomPath(place, '/invoices')}">${shell.back}</a></p>
<section class="card"><p class="hint">${texts.senderHint}</p>
${formOf(visit, roomPath(place, '/invoices/sender'), [
  ...partyFields(visit, typed, ['vatId', 'taxNumber']),
  button(texts.save, 'save-sender'),
])}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: texts.sender, body, status, room: 'invoices' }),
  );
}
