// Links of a shop that are paid again and again: made here, shown with how often they were paid,
// and switched off. Anybody who may see sales sees them; who may sell makes them.

import { type Context, Hono } from 'hono';
import { getMerchantTerms } from '#access/caller.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { tallyLinks } from '#checkout/list-checkouts.ts';
import type { Decimal } from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';
import { momentTime, moneyText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { standingOf } from '#payment-link/open-link-checkout.ts';
import {
  createPaymentLink,
  findPaymentLink,
  LINK_TEXT_MAX,
  LINK_TITLE_MAX,
  listPaymentLinks,
  type PaymentLink,
  paymentLinkUrl,
  switchPaymentLink,
} from '#payment-link/payment-link.ts';
import { mayAct } from '#staff/role.ts';
import { askingChoice, ENTER_BUTTON } from './asking-form.ts';
import {
  areaField,
  button,
  doneNote,
  faultNote,
  formOf,
  readCursor,
  rows,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import {
  currencyDecimals,
  currencyOptions,
  ORIGIN_ASSET,
  readCurrency,
  settlementOptions,
} from './make-checkout.ts';
import { askingDetails, linkAskingText, readOwnAsking } from './payment-link-asking.ts';
import { linkCards, linkPoster } from './payment-link-cards.ts';
import { wantsMoreFields } from './read-asking-form.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/links';
const ONE = `${LIST}/:link`;
const SHOWN = 25;
const NOTHING = { taken: 0, paid: 0 };

type Tally = { readonly taken: number; readonly paid: number; readonly total?: Decimal };

export function paymentLinksRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const seen = (
    path: string,
    answer: (visit: ShopVisit, context: Context) => Promise<Response> | Response,
  ) =>
    routes.get(path, (context) =>
      withShop(app, context, 'see-sales', (visit) => answer(visit, context)),
    );
  seen(LIST, (visit, context) => sendList(app, visit, { after: context.req.query('after') }));
  seen(ONE, (visit, context) =>
    withLink(app, context, visit, (link) =>
      sendOne(app, visit, link, context.req.query('done') === '1'),
    ),
  );
  seen(`${ONE}/print`, (visit, context) =>
    withLink(app, context, visit, async (link) => {
      const terms = await getMerchantTerms(app.db, visit.place);
      const url = paymentLinkUrl(app, terms, link);
      return sendPage(app, linkPoster(visit, link, { url, shopName: terms.shopName }));
    }),
  );
  routes.post(LIST, (context) =>
    withShop(app, context, 'sell', (visit) => create(app, context, visit)),
  );
  routes.post(ONE, (context) =>
    withShop(app, context, 'sell', (visit) =>
      withLink(app, context, visit, (link) => change(app, context, visit, link)),
    ),
  );
  return routes;
}

async function withLink(
  app: PageApp,
  context: Context,
  { place, language }: ShopVisit,
  answer: (link: PaymentLink) => Promise<Response>,
): Promise<Response> {
  const link = await findPaymentLink(app.db, place, context.req.param('link') ?? '');
  return link === undefined
    ? sendPage(app, missingPage(pageLanguage(language.code)))
    : answer(link);
}

async function create(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const form = await readVisitForm(app, context, visit);
  if (wantsMoreFields(form)) return sendList(app, visit, { form });
  try {
    const given = { ...readLink(form), asking: readOwnAsking(form) };
    const act = {
      ...{ actor, merchantId, environment, verb: 'payment-link-create' },
      subject: (made: PaymentLink) => `payment-link:${made.id}`,
      details: {
        ...{ title: given.title, currency: given.currency },
        ...(given.asking !== undefined && askingDetails(given.asking)),
      },
    };
    const { id } = await doNoted(app, act, (within) =>
      createPaymentLink(within, { merchantId, environment }, given),
    );
    return sendSeeOther(roomPath(place, `/links/${id}`));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendList(app, visit, { form, refusal: error });
  }
}

async function change(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  { id }: PaymentLink,
): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const form = await readVisitForm(app, context, visit);
  const isOn = form.get('act') === 'on';
  const act = {
    ...{ actor, merchantId, environment, subject: `payment-link:${id}` },
    verb: isOn ? 'payment-link-on' : 'payment-link-off',
  };
  await doNoted(app, act, (within) => switchPaymentLink(within, place, id, isOn));
  return sendSeeOther(`${roomPath(place, `/links/${id}`)}?done=1`);
}

/** @throws Refusal invalid `link_amount`, `link_stock`, `link_end` */
function readLink(form: URLSearchParams) {
  const read = (name: string) => (form.get(name) ?? '').trim();
  const currency = readCurrency(form.get('currency'));
  const amountOf = (name: string): Decimal | undefined => {
    if (read(name) === '') return undefined;
    const typed = readTypedAmount(read(name), currencyDecimals(currency));
    if (typed === undefined) throw new Refusal('invalid', 'link_amount', `${name}: no amount`);
    return typed;
  };
  const stock = read('stock');
  if (!/^\d{0,9}$/.test(stock)) throw new Refusal('invalid', 'link_stock', 'stock: no number');
  return {
    title: read('title'),
    description: read('text') === '' ? undefined : read('text'),
    currency,
    amount: amountOf('amount'),
    leastAmount: amountOf('least'),
    mostAmount: amountOf('most'),
    settlementAsset: form.get('settlement') ?? ORIGIN_ASSET,
    stock: stock === '' ? undefined : Number.parseInt(stock, 10),
    endsAt: readEnd(read('until')),
  };
}

/** As `datetime-local` of HTML writes it, in UTC. */
function readEnd(typed: string): Temporal.Instant | undefined {
  if (typed === '') return undefined;
  try {
    return Temporal.Instant.from(`${typed}Z`);
  } catch (error) {
    throw new Refusal('invalid', 'link_end', 'until: no time', { cause: error });
  }
}

type Shown = {
  readonly after?: string | undefined;
  /** What was typed and not taken, and why. */
  readonly form?: URLSearchParams;
  readonly refusal?: Refusal;
};

async function sendList(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { links: texts, checkouts } = language.texts;
  const page = { cursor: readCursor(shown.after), limit: SHOWN };
  const [{ links, nextCursor }, { settlementAsset }] = await Promise.all([
    listPaymentLinks(app.db, place, page),
    getMerchantTerms(app.db, place),
  ]);
  const tallies = await tallyLinks(
    app.db,
    links.map(({ id }) => id),
  );
  const now = app.clock.now();
  const path = roomPath(place, '/links');
  const listed = links.map((link) => ({
    what: listItem(visit, link, tallies.get(link.id) ?? NOTHING, now),
  }));
  const fault = shown.refusal && linkFault(visit, shown.refusal);
  const body = html`${faultNote(fault)}
<section class="card">${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}
${
  nextCursor !== null &&
  html`<p class="ways"><a class="quiet" id="older" href="${`${path}?${new URLSearchParams({ after: nextCursor })}`}">${checkouts.older}</a></p>`
}</section>
${mayAct(place.role, 'sell') && createCard(visit, shown, settlementAsset)}`;
  const status = shown.refusal && STATUS_OF_REFUSAL[shown.refusal.kind];
  const title = texts.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'links' }));
}

function linkFault({ language: { texts } }: ShopVisit, { code }: Refusal): string {
  const { links, sell, settings } = texts;
  const known: Readonly<Record<string, string>> = {
    asking: settings.asking.wrong,
    link_amount: links.wrongAmount,
    link_stock: links.wrongStock,
    link_end: links.wrongUntil,
    link_settlement: sell.settlementRisk,
    links_too_many: links.most500,
  };
  return known[code] ?? links.wrongTitle;
}

function listItem(
  { place, language }: ShopVisit,
  link: PaymentLink,
  tally: Tally,
  now: Temporal.Instant,
): Html {
  const { links } = language.texts;
  const standing = standingOf(link, tally.taken, now);
  return html`<a class="line" href="${roomPath(place, `/links/${link.id}`)}"><strong>${foreignText(link.title)}</strong>
<span>${priceText(language, link)}</span></a>
<span class="hint">${standing === 'open' ? links.on : links[standing]}</span>
<span class="hint">${links.paid}: ${tally.paid}${
    tally.total !== undefined &&
    html`, ${links.sum.toLowerCase()} ${moneyText(tally.total, link.currency, language.code)}`
  }</span>`;
}

function priceText({ texts, code }: ShopVisit['language'], link: PaymentLink): string {
  return link.amount === undefined
    ? texts.links.chosen
    : moneyText(link.amount, link.currency, code);
}

async function sendOne(
  app: PageApp,
  visit: ShopVisit,
  link: PaymentLink,
  isDone: boolean,
): Promise<Response> {
  const { place, language } = visit;
  const { links: texts, shell, checkouts, settings } = language.texts;
  const [terms, tallies] = await Promise.all([
    getMerchantTerms(app.db, place),
    tallyLinks(app.db, [link.id]),
  ]);
  const tally: Tally = tallies.get(link.id) ?? NOTHING;
  const standing = standingOf(link, tally.taken, app.clock.now());
  const money = (amount: Decimal) => moneyText(amount, link.currency, language.code);
  const line = (label: string, value: Html | string | number) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const title = link.title;
  const body = html`${doneNote(isDone ? shell.done : undefined)}
<section class="card"><dl class="lines">
${line(checkouts.state, html`<strong data-link-state="${standing}">${standing === 'open' ? texts.on : texts[standing]}</strong>`)}
${line(texts.amount, priceText(language, link))}
${link.leastAmount !== undefined && line(bare(texts.least), money(link.leastAmount))}
${link.mostAmount !== undefined && line(bare(texts.most), money(link.mostAmount))}
${line(texts.paid, tally.paid)}
${tally.total !== undefined && line(texts.sum, money(tally.total))}
${line(texts.held, tally.taken - tally.paid)}
${link.stock !== undefined && line(texts.left, Math.max(0, link.stock - tally.taken))}
${link.endsAt !== undefined && line(bare(texts.until), momentTime(link.endsAt, language.code))}
${link.description !== undefined && line(bare(texts.text), foreignText(link.description))}
${line(settings.asking.title, html`<span id="asking">${linkAskingText(visit, link)}</span>`)}
</dl>${mayAct(place.role, 'sell') && linkActs(visit, link)}</section>
${linkCards(visit, link, paymentLinkUrl(app, terms, link))}`;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'links' }));
}

/** A label of the form without what it says of being left empty. */
function bare(label: string): string {
  return label.replace(/ \([^)]*\)$/, '').replace(/, [^,]*UTC$/, '');
}

function linkActs(visit: ShopVisit, { id, isOn }: PaymentLink): Html {
  const { links, settings } = visit.language.texts;
  const label = isOn ? links.switchOff : links.switchOn;
  const path = roomPath(visit.place, `/links/${id}`);
  return html`<p class="ways"><a class="quiet" id="change-asking" href="${path}/asking">${settings.asking.change}</a></p>
${formOf(
  visit,
  path,
  html`<button class="quiet" id="switch" name="act" value="${isOn ? 'off' : 'on'}">${label}</button>`,
)}`;
}

function createCard(visit: ShopVisit, shown: Shown, settlementAsset: string): Html {
  const { form = new URLSearchParams(), refusal } = shown;
  const { language, place } = visit;
  const path = roomPath(place, '/links');
  const { links, sell } = language.texts;
  const value = (name: string) => form.get(name) ?? '';
  const amountField = (name: string, label: string, hint?: string) =>
    textField({
      ...{ name, label, hint, value: value(name) },
      ...{ inputmode: 'decimal' as const, isRequired: false, maxLength: 40 },
    });
  return html`<section class="card"><h2>${links.create}</h2>
${formOf(visit, path, [
  ENTER_BUTTON,
  textField({
    name: 'title',
    id: 'link-title',
    label: links.name,
    value: value('title'),
    maxLength: LINK_TITLE_MAX,
  }),
  areaField({ name: 'text', label: links.text, value: value('text'), maxLength: LINK_TEXT_MAX }),
  selectField({
    name: 'currency',
    label: sell.currency,
    value: readCurrency(form.get('currency')),
    options: currencyOptions(),
  }),
  amountField('amount', links.amount, links.amountHint),
  amountField('least', links.least),
  amountField('most', links.most),
  textField({
    name: 'stock',
    label: links.stock,
    value: value('stock'),
    hint: links.stockHint,
    inputmode: 'numeric',
    isRequired: false,
    maxLength: 7,
  }),
  html`<p class="field"><label class="label" for="until">${links.until}</label>
<input id="until" name="until" type="datetime-local" value="${value('until')}"></p>`,
  selectField({
    name: 'settlement',
    label: sell.settlement,
    value: form.get('settlement') ?? settlementAsset,
    options: settlementOptions(language),
  }),
  askingChoice(visit, { path, values: form, isRefused: refusal?.code === 'asking' }),
  button(links.make, 'make-link'),
])}</section>`;
}
