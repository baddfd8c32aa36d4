// The first room: what came in, and what needs a person. A shop that has sold nothing yet is shown
// what to do first.

import { Hono } from 'hono';
import { shownAsset } from '#catalog/asset.ts';
import { isLanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import { hasCheckouts } from '#checkout/list-checkouts.ts';
import { add, type Decimal, decimalToText, ZERO } from '#money/decimal.ts';
import { agoText, moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { mayAct, type StaffAct } from '#staff/role.ts';
import { listValuedTakings } from '#takings/list-valued.ts';
import { barChart, type ChartRow, columnChart } from './charts.ts';
import { rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { COUNTED_MOST, listNeeds, type Need } from './list-needs.ts';
import { dashboardPage, roomPath } from './shell.ts';

const DAYS = 30;
const PERIODS = [1, 7, DAYS] as const;
const DAY_HOURS = 24;

type Takings = Awaited<ReturnType<typeof listValuedTakings>>;
type ValuedTaking = Takings['takings'][number];

export function todayRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/today', (context) =>
    withShop(app, context, 'see-sales', (visit) => sendToday(app, visit)),
  );
  return routes;
}

async function sendToday(app: PageApp, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const now = app.clock.now();
  const today = now.toZonedDateTimeISO('UTC').startOfDay().toInstant();
  const since = today.subtract({ hours: (DAYS - 1) * DAY_HOURS });
  const [takings, needs, hasSold] = await Promise.all([
    listValuedTakings(app.db, place, { since, now }),
    listNeeds(app.db, place, now),
    hasCheckouts(app.db, place),
  ]);
  const isNew = !hasSold && takings.takings.length === 0;
  const body = html`${isNew && stepsCard(app, visit)}${needsCard(visit, needs, now)}
${!isNew && cameInCard(visit, takings, today)}
${takings.takings.length > 0 && charts(visit, takings, today)}`;
  const title = language.texts.today.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'today' }));
}

/** What a new shop does first, as far as the role may. */
function stepsCard({ apiReference }: PageApp, { place, language }: ShopVisit): Html {
  const { today, shell } = language.texts;
  const steps: readonly (readonly [asks: StaffAct, path: string, label: string, hint: string])[] = [
    ['develop', roomPath(place, '/keys'), shell.keys, today.steps.key],
    ...(apiReference === undefined
      ? []
      : ([['develop', '/docs', today.manual, today.steps.checkout]] as const)),
    ['develop', roomPath(place, '/webhooks'), shell.webhooks, today.steps.webhook],
    ['settings', roomPath(place, '/settings'), shell.settings, today.steps.settings],
    ['people', roomPath(place, '/people'), shell.people, today.steps.people],
  ];
  const own = steps.filter(([asks]) => mayAct(place.role, asks));
  const tryPath = roomPath({ ...place, environment: 'test' }, '/today');
  return html`<section class="card" id="first-steps"><h2>${today.first}</h2>
<p>${today.nothingSold}</p>
${
  place.environment === 'live' &&
  own.length > 0 &&
  html`<p class="hint">${today.tryFirst}</p><p class="ways"><a class="quiet" href="${tryPath}">${shell.test}</a></p>`
}
${
  own.length > 0 &&
  html`<ol class="rows steps">${own.map(
    ([, path, label, hint]) =>
      html`<li><div><a class="line" href="${path}"><strong>${label}</strong><span class="hint">${hint}</span></a></div></li>`,
  )}</ol>`
}</section>`;
}

function needsCard(visit: ShopVisit, needs: readonly Need[], now: Temporal.Instant): Html {
  const { today } = visit.language.texts;
  return html`<section class="card" id="needs"><h2>${today.needsTitle}</h2>
${
  needs.length === 0
    ? html`<p>${today.nothingWaits}</p>`
    : rows(needs.map((need) => needItem(visit, need, now)))
}</section>`;
}

function needItem({ language }: ShopVisit, need: Need, now: Temporal.Instant) {
  const { what, count, since, path } = need;
  const { today, checkouts } = language.texts;
  const { label, hint } = today.needs[what];
  const digits = new Intl.NumberFormat(language.code);
  const counted = count > COUNTED_MOST ? `${digits.format(COUNTED_MOST)}+` : digits.format(count);
  const said = html`<p class="line"><strong data-need="${what}">${label}: ${counted}</strong>
${since !== undefined && html`<span>${today.oldest}: ${agoText(since, now, language.code)}</span>`}</p>
<span class="hint">${hint}</span>`;
  if (path === undefined) return { what: said };
  const name = `${checkouts.show}: ${label}`;
  const act = html`<a class="button" href="${path}" aria-label="${name}">${checkouts.show}</a>`;
  return { what: said, acts: act };
}

/** Of some takings together: what has no price is told apart. */
type Sum = {
  readonly payments: number;
  readonly worth: Decimal;
  readonly unvalued: ReadonlyMap<string, Decimal>;
};

function sumOf(takings: readonly ValuedTaking[]): Sum {
  const unvalued = new Map<string, Decimal>();
  let [payments, worth] = [0, ZERO];
  for (const taking of takings) {
    payments += taking.payments;
    if (taking.worth !== undefined) worth = add(worth, taking.worth);
    else unvalued.set(taking.code, add(unvalued.get(taking.code) ?? ZERO, taking.amount));
  }
  return { payments, worth, unvalued };
}

function cameInCard(
  { language }: ShopVisit,
  { currency, takings }: Takings,
  today: Temporal.Instant,
): Html {
  const { code, texts } = language;
  const tile = (days: (typeof PERIODS)[number]) => {
    const from = today.subtract({ hours: (days - 1) * DAY_HOURS });
    const { payments, worth, unvalued } = sumOf(
      takings.filter(({ day }) => Temporal.Instant.compare(day, from) >= 0),
    );
    return html`<li data-days="${days}"><span>${texts.today.periods[days]}</span>
<strong>${moneyText(worth, currency, code)}</strong>
<span class="hint">${texts.today.payments}: ${new Intl.NumberFormat(code).format(payments)}</span>
${Array.from(
  unvalued,
  ([unit, amount]) =>
    html`<span class="hint">${texts.today.withoutPrice}: ${moneyText(amount, unit, code)}</span>`,
)}</li>`;
  };
  return html`<section class="card" id="came-in"><h2>${texts.today.cameIn}</h2>
<ul class="tiles">${PERIODS.map(tile)}</ul>
<p class="hint">${texts.today.cameInHint}</p></section>`;
}

function charts(visit: ShopVisit, { currency, takings }: Takings, today: Temporal.Instant): Html {
  const { code, texts } = visit.language;
  const { byDay, byAsset, byLanguage, asTable, payments, worth, ...said } = texts.today;
  const row = (name: string, some: readonly ValuedTaking[]): ChartRow => {
    const sum = sumOf(some);
    const cells = [
      new Intl.NumberFormat(code).format(sum.payments),
      moneyText(sum.worth, currency, code),
    ];
    return { name, length: Number(decimalToText(sum.worth)), cells };
  };
  const rowsBy = (nameOf: (one: ValuedTaking) => string) =>
    Array.from(Map.groupBy(takings, nameOf), ([name, some]) => row(name, some));
  const days = Array.from({ length: DAYS }, (_, before) => {
    const day = today.subtract({ hours: (DAYS - 1 - before) * DAY_HOURS });
    const name = day.toLocaleString(code, { dateStyle: 'medium', timeZone: 'UTC' });
    return row(
      name,
      takings.filter((one) => Temporal.Instant.compare(one.day, day) === 0),
    );
  });
  const languages = new Intl.DisplayNames(code, { type: 'language' });
  const languageName = ({ language, currency }: ValuedTaking) => {
    if (isLanguageCode(language)) return languages.of(language) ?? language;
    return currency === '' ? said.noLanguage : said.notKnown;
  };
  const ticks = new Intl.NumberFormat(code, { notation: 'compact' });
  const chart = (id: string, title: string, first: string, rows: readonly ChartRow[]) => ({
    ...{ id, title, rows, asTable },
    heads: [first, payments, worth],
  });
  return html`${columnChart(chart('by-day', byDay, said.day, days), (value) => ticks.format(value))}
${barChart(chart('by-asset', byAsset, said.asset, rowsBy(assetNameOf(said.notKnown))))}
${barChart(chart('by-language', byLanguage, said.language, rowsBy(languageName)))}`;
}

function assetNameOf(notKnown: string): (taking: ValuedTaking) => string {
  return ({ network, assetId }) =>
    network === '' || assetId === ''
      ? notKnown
      : `${shownAsset(network, assetId).assetCode}, ${getNetwork(network).name}`;
}
