// A checkout by hand: one amount or several items, for whoever is on the telephone or has no shop.

import { type Context, Hono } from 'hono';
import { getMerchantTerms } from '#access/caller.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { decimalToText } from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { askingChoice, ENTER_BUTTON } from './asking-form.ts';
import { button, faultNote, formOf, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import {
  currencyDecimals,
  currencyOptions,
  makeCheckout,
  ORIGIN_ASSET,
  readCurrency,
  type Sale,
  type SoldItem,
  saleFault,
  settlementOptions,
} from './make-checkout.ts';
import { readOwnAsking } from './payment-link-asking.ts';
import { wantsMoreFields } from './read-asking-form.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/sell';
const ROWS = [1, 2, 3, 4, 5, 6] as const;
const DESCRIPTION_MAX = 200;
/** Half a kilogram, a quarter of an hour. */
const QUANTITY_DECIMALS = 3;

export function sellRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) => withShop(app, context, 'sell', (visit) => sendForm(app, visit)));
  routes.post(PATH, (context) =>
    withShop(app, context, 'sell', (visit) => make(app, context, visit)),
  );
  return routes;
}

async function make(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  if (wantsMoreFields(form)) return sendForm(app, visit, form);
  try {
    const id = await makeCheckout(app, visit, readSale(visit, form));
    return sendSeeOther(`${roomPath(visit.place, `/checkouts/${id}`)}#pay-here`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendForm(app, visit, form, error);
  }
}

/** @throws Refusal invalid `validation_failed`, `asking` */
function readSale({ language }: ShopVisit, form: URLSearchParams): Sale {
  const currency = readCurrency(form.get('currency'));
  const read = (name: string) => (form.get(name) ?? '').trim();
  const items = ROWS.flatMap((row): SoldItem[] => {
    const [given, typed, count] = [
      read(`item-${row}`),
      read(`amount-${row}`),
      read(`quantity-${row}`),
    ];
    if (given === '' && typed === '') return [];
    const amount = readTypedAmount(typed, currencyDecimals(currency));
    const quantity = readTypedAmount(count === '' ? '1' : count, QUANTITY_DECIMALS);
    if (amount === undefined || quantity === undefined) throw unreadable(row);
    return [
      {
        // One amount alone needs no words.
        description: given === '' ? language.texts.pos.sale : given,
        netAmount: decimalToText(amount),
        quantity: decimalToText(quantity),
      },
    ];
  });
  const email = read('email');
  return {
    items,
    currency,
    settlementAsset: form.get('settlement') ?? ORIGIN_ASSET,
    customerEmail: email === '' ? undefined : email,
    asking: readOwnAsking(form),
  };
}

function unreadable(row: number): Refusal {
  return new Refusal('invalid', 'validation_failed', `item-${row}: no amount`);
}

/** `form`: what was typed and not taken. */
async function sendForm(
  app: PageApp,
  visit: ShopVisit,
  form = new URLSearchParams(),
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const { settlementAsset } = await getMerchantTerms(app.db, place);
  const { sell } = language.texts;
  const fault = refusal && saleFault(language.texts, refusal);
  const [first, ...others] = ROWS;
  const hasMore = others.some((row) => form.get(`item-${row}`) || form.get(`amount-${row}`));
  const path = roomPath(place, '/sell');
  const body = html`${faultNote(fault)}
<section class="card"><p>${sell.hint}</p>${formOf(visit, path, [
    ENTER_BUTTON,
    itemRow(visit, form, first),
    html`<details${hasMore && html` open`}><summary>${sell.more}</summary>${others.map((row) =>
      itemRow(visit, form, row),
    )}</details>`,
    selectField({
      name: 'currency',
      label: sell.currency,
      value: readCurrency(form.get('currency')),
      options: currencyOptions(),
    }),
    selectField({
      name: 'settlement',
      label: sell.settlement,
      value: form.get('settlement') ?? settlementAsset,
      options: settlementOptions(language),
    }),
    textField({
      name: 'email',
      label: sell.customer,
      value: form.get('email') ?? '',
      hint: sell.customerHint,
      type: 'email',
      isRequired: false,
    }),
    askingChoice(visit, { path, values: form, isRefused: refusal?.code === 'asking' }),
    button(sell.make, 'make'),
  ])}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: sell.title, body, status, room: 'sell' }),
  );
}

function itemRow({ language }: ShopVisit, form: URLSearchParams, row: number): Html {
  const { sell } = language.texts;
  const value = (name: string) => form.get(`${name}-${row}`) ?? '';
  return html`<fieldset class="item"><legend class="visually-hidden">${`${sell.item} ${row}`}</legend>
${textField({
  name: `item-${row}`,
  label: sell.item,
  value: value('item'),
  isRequired: false,
  maxLength: DESCRIPTION_MAX,
})}${textField({
  name: `amount-${row}`,
  label: sell.amount,
  value: value('amount'),
  inputmode: 'decimal',
  isRequired: row === 1,
  maxLength: 40,
})}${textField({
  name: `quantity-${row}`,
  label: sell.quantity,
  value: value('quantity') || '1',
  inputmode: 'decimal',
  isRequired: false,
  maxLength: 20,
})}</fieldset>`;
}
