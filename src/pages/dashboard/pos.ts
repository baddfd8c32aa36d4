// The point of sale: an amount or saved items, a tip, and one button. Everything works without
// JavaScript; with it there is a keypad and items are tapped.

import { type Context, Hono } from 'hono';
import { getMerchantTerms } from '#access/caller.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  addCounterItem,
  type CounterItem,
  ITEM_NAME_MAX,
  listCounterItems,
  removeCounterItem,
} from '#counter/counter-item.ts';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  multiply,
  roundDecimal,
  ZERO,
} from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';
import { moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  button,
  faultNote,
  formOf,
  quietButton,
  rows,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { isKiosk, kioskCard, kioskRoutes } from './kiosk.ts';
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
import { posSaleRoutes, salePath } from './pos-sale.ts';
import { decimalSign } from './read-amount.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/pos';
/** Per cent of the rest; 0 is none. */
const TIPS = [0, 5, 10, 15, 20] as const;
const COUNT = /^\d{1,4}$/;

export function posRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'sell', (visit) =>
      sendCounter(app, visit, new URL(context.req.url).searchParams),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'sell', (visit) => ask(app, context, visit)),
  );
  routes.post(`${PATH}/items`, (context) =>
    withShop(app, context, 'sell', (visit) => changeItems(app, context, visit)),
  );
  routes.route('/', posSaleRoutes(app));
  routes.route('/', kioskRoutes(app));
  return routes;
}

async function ask(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  try {
    const items = await listCounterItems(app.db, visit.place);
    const id = await makeCheckout(app, visit, readSale(visit, form, items));
    return sendSeeOther(salePath(visit.place, id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendCounter(app, visit, form, error);
  }
}

/** @throws Refusal invalid `validation_failed` */
function readSale(
  { language }: ShopVisit,
  form: URLSearchParams,
  saved: readonly CounterItem[],
): Sale {
  const { pos } = language.texts;
  const currency = readCurrency(form.get('currency'));
  const decimals = currencyDecimals(currency);
  const typed = (form.get('amount') ?? '').trim();
  const amount = typed === '' ? ZERO : readTypedAmount(typed, decimals);
  if (amount === undefined) throw unreadable('amount');
  const counted = saved.flatMap((item) => {
    const count = (form.get(`count-${item.id}`) ?? '').trim();
    if (item.currency !== currency || count === '') return [];
    if (!COUNT.test(count)) throw unreadable('count');
    return count === '0' ? [] : [{ item, count: createDecimal(BigInt(count), 0) }];
  });
  const sum = counted.reduce(
    (all, { item, count }) => add(all, multiply(item.price, count)),
    amount,
  );
  const tip = tipOf(form, sum, decimals);
  const line = (description: string, netAmount: Decimal, quantity = '1'): SoldItem[] =>
    compare(netAmount, ZERO) === 0
      ? []
      : [{ description, netAmount: decimalToText(netAmount), quantity }];
  return {
    items: [
      ...counted.flatMap(({ item, count }) => line(item.name, item.price, decimalToText(count))),
      ...line(pos.sale, amount),
      ...line(pos.tip, tip),
    ],
    currency,
    settlementAsset: form.get('settlement') ?? ORIGIN_ASSET,
    customerEmail: undefined,
    // Whoever sells stands before whoever pays, and has asked for the tip.
    asking: 'nothing',
  };
}

/** One that was typed, else a part of the sum, rounded down to what the currency can pay. */
function tipOf(form: URLSearchParams, sum: Decimal, decimals: number): Decimal {
  const own = (form.get('tip-own') ?? '').trim();
  if (own !== '') {
    const tip = readTypedAmount(own, decimals);
    if (tip === undefined) throw unreadable('tip');
    return tip;
  }
  const percent = TIPS.find((one) => `${one}` === form.get('tip')) ?? 0;
  return roundDecimal(multiply(sum, createDecimal(BigInt(percent), 2)), decimals, 'down');
}

function unreadable(name: string): Refusal {
  return new Refusal('invalid', 'validation_failed', `${name}: cannot be read`);
}

async function changeItems(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const owner = { merchantId, environment };
  const form = await readVisitForm(app, context, visit);
  const currency = readCurrency(form.get('currency'));
  const back = roomPath(place, `/pos?${new URLSearchParams({ currency })}`);
  if (isKiosk(visit)) return sendSeeOther(back);
  const removed = form.get('remove');
  try {
    if (removed !== null) {
      const act = { ...owner, actor, verb: 'counter-item-remove' };
      await doNoted(app, { ...act, subject: `counter-item:${removed.slice(0, 12)}` }, (within) =>
        removeCounterItem(within, owner, removed),
      );
    } else await saveItem(app, visit, form, currency);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendCounter(app, visit, form, error);
  }
  return sendSeeOther(back);
}

async function saveItem(
  app: PageApp,
  { actor, place }: ShopVisit,
  form: URLSearchParams,
  currency: string,
): Promise<void> {
  const owner = { merchantId: place.merchantId, environment: place.environment };
  const name = (form.get('name') ?? '').trim();
  const price = readTypedAmount(form.get('price') ?? '', currencyDecimals(currency));
  if (price === undefined) throw new Refusal('invalid', 'counter_item', 'price: no amount');
  const act = {
    ...{ ...owner, actor, verb: 'counter-item-add', details: { name, currency } },
    subject: (made: CounterItem) => `counter-item:${made.id}`,
  };
  await doNoted(app, act, (within) => addCounterItem(within, owner, { name, price, currency }));
}

/** `given`: what was typed and not taken, or asked for by the address. */
async function sendCounter(
  app: PageApp,
  visit: ShopVisit,
  given: URLSearchParams,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const { pos, sell, shell } = language.texts;
  const currency = readCurrency(given.get('currency'));
  const [saved, { settlementAsset }] = await Promise.all([
    listCounterItems(app.db, place),
    getMerchantTerms(app.db, place),
  ]);
  const items = saved.filter((item) => item.currency === currency);
  const path = roomPath(place, '/pos');
  const body = html`${faultNote(refusal && posFault(visit, refusal))}
<section class="card">${formOf(
    visit,
    path,
    [
      html`<input type="hidden" name="currency" value="${currency}">`,
      textField({
        name: 'amount',
        label: `${pos.amount} (${currency})`,
        value: given.get('amount') ?? '',
        inputmode: 'decimal',
        isRequired: false,
        maxLength: 40,
      }),
      keypad(visit),
      itemFields(visit, items, given),
      tipFields(visit, given),
      html`<details><summary>${sell.settlement}</summary>${selectField({
        name: 'settlement',
        label: sell.settlement,
        value: given.get('settlement') ?? settlementAsset,
        options: settlementOptions(language),
      })}</details>`,
      button(pos.ask, 'ask'),
    ],
    html` id="counter"`,
  )}</section>
${
  !isKiosk(visit) &&
  html`<section class="card"><form method="get" action="${path}" class="stack">${selectField({
    name: 'currency',
    label: sell.currency,
    value: currency,
    options: currencyOptions(),
  })}<button class="quiet">${language.texts.checkouts.show}</button></form></section>
${itemsCard(visit, items, currency, given, shell.remove)}`
}
${kioskCard(visit)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = pos.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'pos' }));
}

function posFault({ language: { texts } }: ShopVisit, refusal: Refusal): string {
  const { pos } = texts;
  if (refusal.code === 'counter_item') return pos.wrongItem;
  if (refusal.code === 'counter_items_too_many') return pos.itemsMost;
  const said = saleFault(texts, refusal);
  return said === texts.sell.wrong ? pos.wrongAmount : said;
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** For fingers: a screen of a counter has no other keyboard. */
function keypad({ language }: ShopVisit): Html {
  const { pos } = language.texts;
  const keys = [...DIGITS, decimalSign(language.code), '0'];
  return html`<div class="keypad" role="group" aria-label="${pos.keypad}" data-needs="script" hidden>${keys.map(
    (key) => html`<button type="button" class="quiet" data-key="${key}">${key}</button>`,
  )}<button type="button" class="quiet" data-key="erase" aria-label="${pos.erase}">⌫</button></div>`;
}

function itemFields(
  { language }: ShopVisit,
  items: readonly CounterItem[],
  given: URLSearchParams,
): Html {
  const { pos, sell } = language.texts;
  if (items.length === 0) return html``;
  return html`<fieldset class="items"><legend class="label">${pos.items}</legend>${items.map(
    ({ id, name, price, currency }) => {
      const field = `count-${id}`;
      const sum = moneyText(price, currency, language.code);
      return html`<p class="sold"><label for="${field}">${foreignText(name)} <span class="hint">${sum}</span></label>
<button type="button" class="quiet" data-plus="${field}" data-needs="script" hidden aria-label="${`+1 ${name}`}">+1</button>
<input id="${field}" name="${field}" inputmode="numeric" maxlength="4" autocomplete="off"
 value="${given.get(field) ?? ''}" aria-label="${`${sell.quantity}: ${name}`}"></p>`;
    },
  )}</fieldset>`;
}

function tipFields({ language }: ShopVisit, given: URLSearchParams): Html {
  const { pos } = language.texts;
  const chosen = TIPS.find((one) => `${one}` === given.get('tip')) ?? 0;
  const ways = TIPS.map(
    (one) =>
      html`<p class="check"><input type="radio" id="tip-${one}" name="tip" value="${one}"${
        one === chosen && html` checked`
      }><label for="tip-${one}">${one === 0 ? pos.noTip : `${one}\u00a0%`}</label></p>`,
  );
  return html`<fieldset class="tips"><legend class="label">${pos.tip}</legend>${ways}</fieldset>
${textField({
  name: 'tip-own',
  label: pos.tipOwn,
  value: given.get('tip-own') ?? '',
  inputmode: 'decimal',
  isRequired: false,
  maxLength: 40,
})}`;
}

function itemsCard(
  visit: ShopVisit,
  items: readonly CounterItem[],
  currency: string,
  given: URLSearchParams,
  remove: string,
): Html {
  const { language, place } = visit;
  const { pos, sell } = language.texts;
  const path = roomPath(place, '/pos/items');
  const hidden = html`<input type="hidden" name="currency" value="${currency}">`;
  const listed = items.map(({ id, name, price }) => ({
    what: html`<strong>${foreignText(name)}</strong> <span class="hint">${moneyText(price, currency, language.code)}</span>`,
    acts: formOf(visit, path, [hidden, quietButton(remove, 'remove', id)]),
  }));
  return html`<section class="card" id="items"><h2>${pos.items} (${currency})</h2>
${listed.length > 0 && rows(listed)}
<h3>${pos.save}</h3>${formOf(visit, path, [
    hidden,
    textField({
      name: 'name',
      label: pos.name,
      value: given.get('name') ?? '',
      maxLength: ITEM_NAME_MAX,
    }),
    textField({
      name: 'price',
      label: sell.amount,
      value: given.get('price') ?? '',
      inputmode: 'decimal',
      maxLength: 40,
    }),
    button(pos.saveIt, 'save-item'),
  ])}</section>`;
}
