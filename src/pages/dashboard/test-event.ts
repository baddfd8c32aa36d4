// What may be told to a receiver, with an example of each, and a test event to try one.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { EVENT_TYPES, type EventType, mayHear } from '#event/event.ts';
import { sendTestEvent } from '#event/webhook-endpoint.ts';
import { exampleEvent } from '#pages/docs/example-of.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { hearsWith } from '#staff/role.ts';
import { button, formOf, selectField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { indented } from './json-text.ts';
import { dashboardPage, roomPath } from './shell.ts';

export function eventKindsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/webhooks/kinds', (context) =>
    withShop(app, context, 'see-development', (visit) => sendKinds(app, context, visit)),
  );
  return routes;
}

/** Whoever may not see money does not try what he would not be shown. */
function typesFor({ place: { role, environment } }: ShopVisit): readonly EventType[] {
  const scopes = hearsWith(role, environment);
  return EVENT_TYPES.filter((type) => mayHear(scopes, type));
}

/** Undefined where there is nobody to try, or no example of anything. */
export function testEventCard(
  { apiReference }: PageApp,
  visit: ShopVisit,
  receivers: readonly { readonly id: string; readonly url: string }[],
): Html | undefined {
  if (receivers.length === 0 || apiReference === undefined) return undefined;
  const { testEvent } = visit.language.texts;
  return html`<section class="card" id="test-event"><h2>${testEvent.title}</h2>
<p class="hint">${testEvent.hint}</p>
${formOf(visit, roomPath(visit.place, '/webhooks'), [
  html`<input type="hidden" name="act" value="test">`,
  selectField({
    name: 'endpoint',
    label: testEvent.receiver,
    value: '',
    // An option holds plain text, so what turns it around is left away.
    options: receivers.map(({ id, url }) => [id, url.replaceAll(/[\p{Cf}\p{Cc}]/gu, '')]),
  }),
  selectField({
    name: 'kind',
    label: testEvent.kind,
    value: '',
    options: typesFor(visit).map((type) => [type, type]),
  }),
  button(testEvent.send, 'send-test'),
])}</section>`;
}

/** Answers the id of the event. @throws Refusal missing, conflict `endpoint_disabled` */
export async function carryOutTestEvent(
  app: PageApp,
  visit: ShopVisit,
  form: URLSearchParams,
): Promise<string> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const id = form.get('endpoint') ?? '';
  const type = typesFor(visit).find((one) => one === form.get('kind'));
  const example = type && app.apiReference && exampleEvent(app.apiReference(), type);
  if (type === undefined || example === undefined) {
    throw new Refusal('missing', 'event_type', 'there is no such kind of event');
  }
  const act = {
    ...{ actor, merchantId, environment, verb: 'webhook-endpoint-test', details: { type } },
    subject: `webhook-endpoint:${id}`,
  };
  const data = JSON.stringify(example.body.data);
  const { eventId } = await doNoted(app, act, (within) =>
    sendTestEvent(within, { merchantId, environment }, { id, type, data }),
  );
  app.wakes?.deliver.wake();
  return eventId;
}

function sendKinds(app: PageApp, context: Context, visit: ShopVisit): Response | Promise<Response> {
  const { place, language } = visit;
  const { eventKinds, webhooks } = language.texts;
  if (app.apiReference === undefined) {
    return sendPage(app, missingPage(pageLanguage(language.code)));
  }
  const reference = app.apiReference();
  const asked = context.req.query('type');
  const kinds = typesFor(visit).flatMap((type) => {
    const example = exampleEvent(reference, type);
    return example === undefined ? [] : [{ type, ...example }];
  });
  const body = html`<section class="card"><p class="hint">${eventKinds.hint}</p>
<p class="ways"><a class="quiet" href="${roomPath(place, '/webhooks')}">${webhooks.title}</a></p></section>
${kinds.map(
  ({ type, body: shown }) => html`<section class="card" id="${type}">
<h2><code>${type}</code></h2><p>${eventKinds.told[type]}</p>
<details${type === asked && html` open`}><summary>${eventKinds.example}</summary>
<pre class="code" tabindex="0">${indented(JSON.stringify(shown))}</pre></details></section>`,
)}`;
  const title = eventKinds.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'webhooks' }));
}
