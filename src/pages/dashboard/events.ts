// What was told, to whom, and how that went: events of a shop, newest first, and one of them with
// its text and every attempt to deliver it.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  listDeliveries,
  listDeliveriesOf,
  redeliverToAll,
} from '#event/delivery.ts';
import { EVENT_TYPES, type Event, findEvent, listEvents, mayHear } from '#event/event.ts';
import { momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { hearsWith } from '#staff/role.ts';
import { button, doneNote, faultNote, formOf, readCursor, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { indented } from './json-text.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const LIST = '/shop/:merchantId/:environment/events';
const ONE = `${LIST}/:id`;
const SHOWN = 25;

export function eventsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(LIST, (context) =>
    withShop(app, context, 'see-development', (visit) => sendList(app, context, visit)),
  );
  routes.get(ONE, (context) =>
    withShop(app, context, 'see-development', (visit) =>
      sendOne(app, visit, idOf(context), { isDone: context.req.query('done') === '1' }),
    ),
  );
  // Nothing changes by it but that the same text is sent once more to those who were told before.
  routes.post(`${ONE}/again`, (context) =>
    withShop(app, context, 'see-development', async (visit) => {
      await readVisitForm(app, context, visit);
      return sendAgain(app, visit, idOf(context));
    }),
  );
  return routes;
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

async function sendAgain(app: PageApp, visit: ShopVisit, id: string): Promise<Response> {
  const { place } = visit;
  const event = await findHeard(app, visit, id);
  if (event === undefined) return sendPage(app, missingPage(pageLanguage(visit.language.code)));
  try {
    await redeliverToAll(app, { ...place, eventId: id });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendOne(app, visit, id, { refusal: error });
  }
  return sendSeeOther(`${roomPath(place, `/events/${id}`)}?done=1`);
}

/** Undefined also for what this person is not told of. */
async function findHeard(
  app: PageApp,
  { place }: ShopVisit,
  eventId: string,
): Promise<Event | undefined> {
  const event = await findEvent(app, { ...place, eventId });
  const scopes = hearsWith(place.role, place.environment);
  return event !== undefined && mayHear(scopes, event.type) ? event : undefined;
}

async function sendList(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { events: texts, checkouts, webhooks } = language.texts;
  const type = EVENT_TYPES.find((one) => one === context.req.query('type'));
  const { merchantId, environment, role } = place;
  const owner = { merchantId, environment };
  const { events, nextCursor } = await listEvents(app, {
    ...owner,
    type,
    scopes: hearsWith(role, environment),
    cursor: readCursor(context.req.query('after')),
    limit: SHOWN,
  });
  const eventIds = events.map(({ id }) => id);
  const deliveries = await listDeliveriesOf(app, { ...owner, eventIds });
  const listed = events.map((event) => ({
    what: listItem(visit, event, deliveries.get(event.id) ?? []),
  }));
  const path = roomPath(place, '/events');
  const older = new URLSearchParams({ ...(type && { type }), after: nextCursor ?? '' });
  const body = html`<section class="card">${filterForm(visit, path, type)}
${listed.length === 0 ? html`<p>${checkouts.none}</p>` : rows(listed)}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }<a class="quiet" href="${roomPath(place, '/webhooks')}">${webhooks.title}</a></p></section>`;
  return sendPage(app, dashboardPage({ visit, place, title: texts.title, body, room: 'webhooks' }));
}

/** Asks by address, so that a view can be kept as a bookmark. */
function filterForm(
  { language, place }: ShopVisit,
  path: string,
  chosen: string | undefined,
): Html {
  const { events, checkouts } = language.texts;
  const scopes = hearsWith(place.role, place.environment);
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${label}</option>`;
  return html`<form method="get" action="${path}" class="filter" role="search">
<p class="field"><label class="label" for="type">${events.type}</label>
<select id="type" name="type">${option('', checkouts.all)}${EVENT_TYPES.filter((type) =>
    mayHear(scopes, type),
  ).map((type) => option(type, type))}</select></p>
${button(checkouts.show, 'show')}</form>`;
}

function listItem(
  { language, place }: ShopVisit,
  event: Event,
  deliveries: readonly Delivery[],
): Html {
  const { id, type, subjectId, createdAt } = event;
  const { testEvent } = language.texts;
  const path = roomPath(place, `/events/${id}`);
  return html`<a class="line" href="${path}"><strong><code>${type}</code></strong>
<span>${stateText(language.texts, deliveries)}</span>
${isTest(event) && html`<span>${testEvent.mark}</span>`}
<span class="hint"><code>${subjectId}</code> ${momentTime(createdAt, language.code)}</span></a>`;
}

/** How far an event came with those who are told of it. */
function stateText(
  { events }: ShopVisit['language']['texts'],
  deliveries: readonly Delivery[],
): string {
  const states = [
    ...new Set(latestDeliveries(deliveries).map(({ state }) => events.states[state])),
  ];
  return states.length === 0 ? events.nobody : states.join(', ');
}

function isTest({ subject }: Event): boolean {
  return subject === 'webhook-endpoint';
}

/** How it stands with each receiver: what was sent again stands for what went before. */
export function latestDeliveries(deliveries: readonly Delivery[]): Delivery[] {
  const byReceiver = Map.groupBy(deliveries, ({ endpointId, url }) => `${endpointId ?? ''} ${url}`);
  return [...byReceiver.values()].flatMap((one) => one.at(-1) ?? []);
}

async function sendOne(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  shown: { readonly refusal?: Refusal; readonly isDone?: boolean },
): Promise<Response> {
  const { place, language } = visit;
  const { texts, code } = language;
  const { events } = texts;
  const event = await findHeard(app, visit, id);
  if (event === undefined) return sendPage(app, missingPage(pageLanguage(code)));
  const { merchantId, environment } = place;
  const deliveries = await listDeliveries(app, { merchantId, environment, eventId: id });
  const { refusal, isDone } = shown;
  const line = (label: string, value: Html | string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const about =
    event.subject === 'checkout'
      ? html`<a href="${roomPath(place, `/checkouts/${event.subjectId}`)}"><code>${
          event.subjectId
        }</code></a>`
      : html`${event.subject} <code>${event.subjectId}</code>`;
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? events.sentAgain : undefined)}
${isTest(event) && html`<p class="notice" id="test">${texts.testEvent.mark}</p>`}
<section class="card"><dl class="lines">
${line(events.about, about)}
${line(texts.keys.created, momentTime(event.createdAt, code))}
${line('webhook-id', html`<code>${event.id}</code>`)}
</dl></section>
<section class="card" id="deliveries"><h2>${events.deliveries}</h2>
${
  deliveries.length === 0
    ? html`<p>${events.nobody}</p>`
    : html`${deliveries.map((delivery) => deliveryPart(visit, delivery))}${formOf(
        visit,
        roomPath(place, `/events/${id}/again`),
        html`<p class="hint">${events.againHint}</p>${button(events.again, 'again')}`,
      )}`
}</section>
<section class="card"><h2>${events.body}</h2><pre class="code" tabindex="0">${indented(event.body)}</pre></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: event.type, body, status, room: 'webhooks' }),
  );
}

function deliveryPart({ language }: ShopVisit, delivery: Delivery): Html {
  const { events } = language.texts;
  const { url, state, reason, nextAttemptAt, attempts } = delivery;
  return html`<p><strong><code>${foreignText(url)}</code></strong>
<span data-delivery-state="${state}">${events.states[state]}</span>${
    reason !== undefined && html` <span class="hint">${foreignText(reason)}</span>`
  }${
    state === 'PENDING' &&
    html` <span class="hint">${events.next}: ${momentTime(nextAttemptAt, language.code)}</span>`
  }</p>${
    attempts.length > 0 &&
    rows(attempts.map((attempt) => ({ what: attemptItem(language, attempt) })))
  }`;
}

function attemptItem(
  { texts, code }: ShopVisit['language'],
  { attemptedAt, status, error, durationMs, answerExcerpt }: DeliveryAttempt,
): Html {
  return html`<strong>${status === undefined ? foreignText(error ?? '') : `HTTP ${status}`}</strong>
<span class="hint">${momentTime(attemptedAt, code)}, ${durationMs} ms</span>
${
  answerExcerpt !== undefined &&
  answerExcerpt !== '' &&
  html`<span class="hint">${texts.events.answer}: <code>${foreignText(answerExcerpt)}</code></span>`
}`;
}
