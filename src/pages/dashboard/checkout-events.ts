// What was told of a checkout and of its refunds, how that went, and the button that tells it once
// more; for whoever sees webhooks.

import type { CheckoutRecord } from '#checkout/checkout.ts';
import { listDeliveriesOf } from '#event/delivery.ts';
import { type Event, listEvents } from '#event/event.ts';
import { momentTime } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { hearsWith, mayAct } from '#staff/role.ts';
import { formOf, quietButton, rows } from './controls.ts';
import { stateText } from './events.ts';
import type { ShopVisit } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { roomPath } from './shell.ts';

/** Of the checkout, and of each refund. */
const SHOWN = 25;

export async function eventsCard(
  app: PageApp,
  visit: ShopVisit,
  { id, refunds }: CheckoutRecord,
): Promise<Html | undefined> {
  const { place, language } = visit;
  if (!mayAct(place.role, 'see-development')) return undefined;
  const owner = ownerOf(place);
  const scopes = hearsWith(place.role, place.environment);
  const subjects = [id, ...refunds.map((refund) => refund.id)];
  const pages = await Promise.all(
    subjects.map((subjectId) => listEvents(app, { ...owner, subjectId, scopes, limit: SHOWN })),
  );
  const events = pages
    .flatMap((page) => page.events)
    .toSorted((one, other) => Temporal.Instant.compare(one.createdAt, other.createdAt));
  const eventIds = events.map((event) => event.id);
  const deliveries = await listDeliveriesOf(app, { ...owner, eventIds });
  const { events: texts, checkouts } = language.texts;
  const listed = events.map((event) => {
    const told = deliveries.get(event.id) ?? [];
    return {
      what: eventItem(visit, event, stateText(language.texts, told)),
      acts: told.length === 0 ? undefined : againForm(visit, event),
    };
  });
  return html`<section class="card" id="events"><h2>${texts.title}</h2>
${listed.length === 0 ? html`<p>${checkouts.none}</p>` : rows(listed)}</section>`;
}

function eventItem({ language, place }: ShopVisit, event: Event, states: string): Html {
  const { id, type, createdAt } = event;
  const path = roomPath(place, `/events/${id}`);
  return html`<a class="line" href="${path}"><strong><code>${type}</code></strong>
<span>${states}</span>
<span class="hint">${momentTime(createdAt, language.code)}</span></a>`;
}

function againForm(visit: ShopVisit, { id }: Event): Html {
  const { again } = visit.language.texts.events;
  return formOf(
    visit,
    roomPath(visit.place, `/events/${id}/again`),
    quietButton(again, 'event', id),
  );
}
