// Receivers of events: addresses of the shop that are told what happens. A secret is shown once.

import { type Context, Hono } from 'hono';
import { listApiKeys } from '#access/api-key.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { EVENT_TYPES, type EventType, mayHear, refuseUnheard } from '#event/event.ts';
import {
  createWebhookEndpoint,
  disableWebhookEndpoint,
  listWebhookEndpoints,
  pinEndpointVersion,
  rotateWebhookEndpointSecret,
} from '#event/webhook-endpoint.ts';
import { webUrl } from '#money/exact-schema.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct, mayHoldKey } from '#staff/role.ts';
import { API_VERSIONS, keptApiVersion } from '#versions/api-version.ts';
import { carryOutCheckoutSecret, checkoutSecretCard } from './checkout-secret.ts';
import { button, doneNote, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { carryOutTestEvent, testEventCard } from './test-event.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/webhooks';
/** Switched-off ones included: an account has at most 20 that are not. */
const SHOWN = 50;
/** How long the old secret signs beside the new one: as long as a shop needs to be changed. */
const OVERLAP_HOURS = 24;

type Endpoint = Awaited<ReturnType<typeof listWebhookEndpoints>>['endpoints'][number];
/** A receiver whose secret is new: shown this once. */
type Made = { readonly url: string; readonly secret: string };
type Shown = {
  readonly refusal?: Refusal | undefined;
  /** Why nothing can be sent to what was typed. */
  readonly unreachable?: string | undefined;
  readonly given?: string | undefined;
  readonly made?: Made | undefined;
  readonly checkoutSecret?: string | undefined;
  readonly isDone?: boolean;
};

export function webhooksRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-development', (visit) =>
      sendWebhooks(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'develop', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  try {
    if (form.get('act') === 'create') return await create(app, visit, form);
    if (form.get('act') === 'test') {
      const eventId = await carryOutTestEvent(app, visit, form);
      return sendSeeOther(roomPath(visit.place, `/events/${eventId}`));
    }
    const checkoutSecret = await carryOutCheckoutSecret(app, visit, form.get('act') ?? '');
    if (checkoutSecret !== undefined) return sendWebhooks(app, visit, { checkoutSecret });
    const made = await changeOne(app, visit, form.get('act') ?? '', form.get('endpoint') ?? '');
    if (made !== undefined) return sendWebhooks(app, visit, { made });
    return sendSeeOther(`${roomPath(visit.place, '/webhooks')}?done=1`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendWebhooks(app, visit, { refusal: error, given: form.get('url') ?? '' });
  }
}

async function create(app: PageApp, visit: ShopVisit, form: URLSearchParams): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const given = (form.get('url') ?? '').trim();
  const { success: isUrl, data: url = '' } = webUrl.safeParse(given);
  if (!isUrl) throw new Refusal('invalid', 'url', 'url: an address that begins with https://');
  const keys = await listUsableKeys(app, visit);
  const key = keys.find((one) => one.key === form.get('key'));
  if (key === undefined) throw new Refusal('missing', 'key', 'there is no such key');
  const eventTypes = readTypes(form, key.scopes ?? undefined);
  const unreachable = await app.webhookTargets.findFault(url, environment);
  if (unreachable !== undefined) return sendWebhooks(app, visit, { unreachable, given });
  const caller = { merchantId, environment, apiKey: key.key };
  const act = {
    ...{ actor, merchantId, environment, verb: 'webhook-endpoint-create' },
    subject: (told: { readonly endpoint: Endpoint }) => `webhook-endpoint:${told.endpoint.id}`,
    details: { url, eventTypes: eventTypes?.join(' ') },
  };
  const { secret } = await doNoted(app, act, (within) =>
    createWebhookEndpoint(within, caller, { url, eventTypes }),
  );
  return sendWebhooks(app, visit, { made: { url, secret } });
}

/** Undefined: all. `scopes` of the key that it hears with; undefined: everything. */
function readTypes(
  form: URLSearchParams,
  scopes: readonly string[] | undefined,
): readonly EventType[] | undefined {
  const given = form.getAll('type');
  const named = EVENT_TYPES.filter((type) => given.includes(type));
  if (named.length === 0) {
    return scopes === undefined ? undefined : EVENT_TYPES.filter((type) => mayHear(scopes, type));
  }
  refuseUnheard(scopes, named);
  return named;
}

/** What the pressed button says of one receiver, noted with who. Answers a secret that is new. */
async function changeOne(
  app: PageApp,
  visit: ShopVisit,
  act: string,
  id: string,
): Promise<Made | undefined> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const who = { actor, merchantId, environment, subject: `webhook-endpoint:${id}` };
  if (act === 'rotate') {
    await requireHeard(app, visit, id);
    const details = { overlapHours: `${OVERLAP_HOURS}` };
    const { endpoint, secret } = await doNoted(
      app,
      { ...who, verb: 'webhook-endpoint-rotate', details },
      (within) => rotateWebhookEndpointSecret(within, place, { id, overlapHours: OVERLAP_HOURS }),
    );
    return { url: endpoint.url, secret };
  }
  if (API_VERSIONS.includes(act)) {
    const details = { apiVersion: act };
    await doNoted(app, { ...who, verb: 'webhook-endpoint-version', details }, (within) =>
      pinEndpointVersion(within, place, { id, apiVersion: act }),
    );
  }
  if (act === 'delete') {
    await doNoted(app, { ...who, verb: 'webhook-endpoint-delete' }, (within) =>
      disableWebhookEndpoint(within, place, id),
    );
  }
  return undefined;
}

/** Nobody learns the secret of a receiver that hears with a key which he could not have made. */
async function requireHeard(app: PageApp, visit: ShopVisit, id: string): Promise<void> {
  const { endpoints } = await listEndpoints(app, visit);
  const endpoint = endpoints.find((one) => one.id === id);
  const keys = await listApiKeys(app.db, visit.place.merchantId);
  const key = keys.find((one) => one.key === endpoint?.apiKey);
  const { role, environment } = visit.place;
  if (endpoint === undefined || mayHoldKey(role, environment, key?.scopes ?? null)) return;
  throw new Refusal('forbidden', 'key_moves_money', 'a key that moves money is the owner’s');
}

function listEndpoints(app: PageApp, { place }: ShopVisit) {
  return listWebhookEndpoints(app, place, { cursor: undefined, limit: SHOWN });
}

/** Keys with which this person may have somebody told of something. */
async function listUsableKeys(app: PageApp, { place }: ShopVisit) {
  const keys = await listApiKeys(app.db, place.merchantId);
  return keys.filter(
    ({ environment, revokedAt, scopes }) =>
      environment === place.environment &&
      revokedAt === null &&
      mayHoldKey(place.role, environment, scopes),
  );
}

async function sendWebhooks(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { webhooks, shell, faults } = language.texts;
  const { refusal, unreachable, made, isDone } = shown;
  const { endpoints } = await listEndpoints(app, visit);
  const refused = refusal && refusalText(language.texts, refusal);
  const fault = unreachable === undefined ? refused : faults.unreachable(unreachable);
  const open = endpoints.filter(({ disabledAt }) => disabledAt === undefined);
  const listed = endpoints.map((one) => ({ what: item(visit, one), acts: acts(visit, one) }));
  const body = html`${faultNote(fault)}
${doneNote(isDone === true ? shell.done : undefined)}
${made !== undefined && madeCard(visit, made)}
<section class="card"><h2>${webhooks.receivers}</h2>
${listed.length === 0 ? html`<p>${webhooks.none}</p>` : rows(listed)}
<p class="ways"><a class="quiet" id="log" href="${roomPath(place, '/events')}">${
    webhooks.log
  }</a><a class="quiet" id="kinds" href="${roomPath(place, '/webhooks/kinds')}">${
    language.texts.eventKinds.title
  }</a></p></section>
${mayAct(place.role, 'develop') && testEventCard(app, visit, open)}
${mayAct(place.role, 'develop') && (await createCard(app, visit, shown))}
${mayAct(place.role, 'develop') && checkoutSecretCard(visit, shown.checkoutSecret)}`;
  const status = unreachable === undefined ? refusal && STATUS_OF_REFUSAL[refusal.kind] : 400;
  const title = webhooks.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'webhooks' }));
}

function madeCard({ language: { texts } }: ShopVisit, { url, secret }: Made): Html {
  return html`<section class="card" id="made"><p class="warning" role="status">${texts.keys.once}</p>
<dl class="lines"><div><dt>${texts.webhooks.url}</dt><dd><code>${foreignText(url)}</code></dd></div>
<div><dt>${texts.keys.secret}</dt><dd><code>${secret}</code></dd></div></dl></section>`;
}

function item({ language }: ShopVisit, endpoint: Endpoint): Html {
  const { url, eventTypes, createdAt, disabledAt } = endpoint;
  const { texts, code } = language;
  const { webhooks, keys } = texts;
  return html`<strong><code>${foreignText(url)}</code></strong>
<span class="hint">${eventTypes === undefined ? webhooks.all : eventTypes.join(', ')}</span>
<span class="hint">${keys.version}: ${keptApiVersion(endpoint.apiVersion)}</span>
<span class="hint">${keys.created}: ${momentTime(createdAt, code)}</span>
${disabledAt !== undefined && html`<span class="hint">${webhooks.off}: ${momentTime(disabledAt, code)}</span>`}`;
}

function acts(visit: ShopVisit, endpoint: Endpoint): Html | undefined {
  const { id, disabledAt } = endpoint;
  const { keys, shell, receivers } = visit.language.texts;
  if (disabledAt !== undefined || !mayAct(visit.place.role, 'develop')) return undefined;
  const others = API_VERSIONS.filter((version) => version !== keptApiVersion(endpoint.apiVersion));
  return formOf(
    visit,
    roomPath(visit.place, '/webhooks'),
    html`<input type="hidden" name="endpoint" value="${id}">
${quietButton(keys.rotate, 'act', 'rotate')}${others.map((version) =>
  quietButton(receivers.tellIn(version), 'act', version),
)}${quietButton(shell.remove, 'act', 'delete')}`,
  );
}

async function createCard(app: PageApp, visit: ShopVisit, { given }: Shown): Promise<Html> {
  const { webhooks, keys: keyTexts } = visit.language.texts;
  const keys = await listUsableKeys(app, visit);
  if (keys.length === 0) {
    return html`<section class="card"><h2>${webhooks.create}</h2>
<p>${webhooks.noKey} <a href="${roomPath(visit.place, '/keys')}">${keyTexts.title}</a></p></section>`;
  }
  const options = keys.map(
    ({ key, label }) => html`<option value="${key}">${foreignText(label ?? key)}</option>`,
  );
  const types = EVENT_TYPES.map(
    (
      type,
    ) => html`<p class="check"><input type="checkbox" id="type-${type}" name="type" value="${type}">
<label for="type-${type}"><code>${type}</code></label></p>`,
  );
  return html`<section class="card"><h2>${webhooks.create}</h2>
${formOf(visit, roomPath(visit.place, '/webhooks'), [
  html`<input type="hidden" name="act" value="create">`,
  textField({
    name: 'url',
    label: webhooks.url,
    value: given,
    hint: webhooks.urlHint,
    maxLength: 2_000,
  }),
  html`<p class="field"><label class="label" for="key">${webhooks.key}</label>
<select id="key" name="key" aria-describedby="key-hint">${options}</select>
<span class="hint" id="key-hint">${webhooks.keyHint}</span></p>
<details><summary>${webhooks.which}</summary><p class="hint">${webhooks.whichHint}</p>
<fieldset><legend class="label">${webhooks.which}</legend>${types}</fieldset></details>`,
  button(webhooks.make, 'make-receiver'),
])}<p class="hint">${webhooks.rotateHint}</p></section>`;
}
