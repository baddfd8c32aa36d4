// What programs of the shop asked of the API, newest first, and one request whole. Guarantees: a
// request that asks for more than a key which this person may hold is not there.

import { type Context, Hono } from 'hono';
import { listApiKeys, SCOPES } from '#access/api-key.ts';
import { momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import {
  type ApiRequest,
  countMissed,
  findRequest,
  type ListedRequest,
  listRequests,
} from '#request-log/api-request.ts';
import { mayHoldKey } from '#staff/role.ts';
import { button, readCursor, rows, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { indented } from './json-text.ts';
import { dashboardPage, roomPath } from './shell.ts';

const LIST = '/shop/:merchantId/:environment/requests';
const SHOWN = 50;
const PATH_MOST = 200;
/** What the API answers, as one may look for it. */
const STATUSES = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503];

export function requestsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(LIST, (context) =>
    withShop(app, context, 'see-development', (visit) => sendList(app, context, visit)),
  );
  routes.get(`${LIST}/:id`, (context) =>
    withShop(app, context, 'see-development', (visit) =>
      sendOne(app, visit, context.req.param('id')),
    ),
  );
  return routes;
}

function hiddenScopes({ place: { role, environment } }: ShopVisit): readonly string[] {
  return SCOPES.filter((scope) => !mayHoldKey(role, environment, [scope]));
}

type Asked = { readonly status: string; readonly path: string; readonly key: string };

function readAsked(context: Context): Asked {
  const { status = '', path = '', key = '' } = context.req.query();
  return { status, path: path.trim().slice(0, PATH_MOST), key };
}

/** `4xx` or `404`; anything else is every status. */
function readStatus(text: string): readonly [number, number] | undefined {
  const [, family, exact] = /^(?:([245])xx|(\d{3}))$/.exec(text) ?? [];
  if (family !== undefined) return [Number(family) * 100, Number(family) * 100 + 99];
  return exact === undefined ? undefined : [Number(exact), Number(exact)];
}

async function sendList(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { requests: texts, checkouts, webhooks } = language.texts;
  const asked = readAsked(context);
  const [{ shown, nextCursor, looked }, missed, keys] = await Promise.all([
    listRequests(app, place, {
      status: readStatus(asked.status),
      path: asked.path === '' ? undefined : asked.path,
      apiKey: asked.key === '' ? undefined : asked.key,
      hiddenScopes: hiddenScopes(visit),
      cursor: readCursor(context.req.query('after')),
      limit: SHOWN,
    }),
    countMissed(app, place),
    listApiKeys(app.db, place.merchantId),
  ]);
  const path = roomPath(place, '/requests');
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  const older = new URLSearchParams([...given, ['after', nextCursor ?? '']]);
  const ofPlace = keys.filter(({ environment }) => environment === place.environment);
  const body = html`<section class="card"><p class="hint">${texts.hint}</p>
${missed > 0n && html`<p class="warning" id="missed">${texts.missed(`${missed}`)}</p>`}
${filterForm(visit, path, asked, ofPlace)}
${
  shown.length === 0 && nextCursor === null
    ? html`<p>${checkouts.none}</p>`
    : rows(shown.map((one) => ({ what: listItem(visit, one) })))
}
${looked !== undefined && html`<p class="hint" id="looked">${texts.looked(`${looked}`)}</p>`}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }<a class="quiet" href="${roomPath(place, '/webhooks')}">${webhooks.title}</a></p></section>`;
  return sendPage(app, dashboardPage({ visit, place, title: texts.title, body, room: 'requests' }));
}

/** Asks by address, so that a view can be kept as a bookmark. */
function filterForm(
  { language: { texts } }: ShopVisit,
  path: string,
  asked: Asked,
  keys: readonly { readonly key: string; readonly label: string | null }[],
): Html {
  const { requests, checkouts } = texts;
  return html`<form method="get" action="${path}" class="filter" role="search">
${selectField({
  name: 'status',
  label: requests.status,
  value: asked.status,
  options: [
    ['', checkouts.all],
    ['2xx', requests.succeeded],
    ['4xx', requests.refused],
    ['5xx', requests.failed],
    ...STATUSES.map((status) => [`${status}`, `${status}`] as const),
  ],
})}
${selectField({
  name: 'key',
  label: requests.key,
  value: asked.key,
  options: [['', checkouts.all], ...keys.map(({ key, label }) => [key, label ?? key] as const)],
})}
${textField({
  name: 'path',
  label: requests.path,
  value: asked.path,
  isRequired: false,
  maxLength: PATH_MOST,
})}
${button(checkouts.show, 'show')}</form>`;
}

function listItem({ place, language }: ShopVisit, request: ListedRequest): Html {
  const { id, method, path, status, errorCode, durationMs, apiKey, at } = request;
  return html`<a class="line" href="${roomPath(place, `/requests/${id}`)}"><strong><code>${
    method
  } ${foreignText(path)}</code></strong>
<span data-status="${status}">${status}${errorCode !== undefined && html` <code>${errorCode}</code>`}</span>
<span class="hint">${momentTime(at, language.code)}, ${durationMs} ms, <code>${apiKey}</code></span></a>`;
}

async function sendOne(app: PageApp, visit: ShopVisit, id: string): Promise<Response> {
  const { place, language } = visit;
  const { requests: texts, checkouts } = language.texts;
  const hidden = { id, hiddenScopes: hiddenScopes(visit) };
  const request = await findRequest(app, place, hidden);
  if (request === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  const { method, path, status, errorCode, query, requestHeaders, requestBytes } = request;
  const isProven = requestHeaders !== undefined;
  const body = html`<section class="card"><dl class="lines">${factLines(visit, request)}</dl>
${!isProven && html`<p class="hint" id="unproven">${texts.unproven}</p>`}
<p class="ways"><a class="quiet" href="${roomPath(place, '/requests')}">${checkouts.newest}</a></p></section>
<section class="card" id="asked"><h2>${texts.asked}</h2>
${query !== undefined && html`<p><code>${foreignText(query)}</code></p>`}
${headersPart(requestHeaders)}
${isProven && bodyPart(visit, request.requestBody, requestBytes)}</section>
<section class="card" id="answered"><h2>${texts.answered}: ${status}${
    errorCode !== undefined && html` <code>${errorCode}</code>`
  }</h2>
${headersPart(request.answerHeaders)}
${isProven && bodyPart(visit, request.answerBody, request.answerBytes)}</section>`;
  const title = `${method} ${path}`;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'requests' }));
}

function factLines({ language }: ShopVisit, request: ApiRequest): Html[] {
  const { requests: texts } = language.texts;
  const { at, durationMs, apiKey, address, id } = request;
  const line = (label: string, value: Html | string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return [
    line(texts.at, momentTime(at, language.code)),
    line(texts.duration, `${durationMs} ms`),
    line(texts.key, html`<code>${apiKey}</code>`),
    line(texts.address, html`<code>${foreignText(address)}</code>`),
    line('X-Request-ID', html`<code>${id}</code>`),
  ];
}

function headersPart(headers: string | undefined): Html | undefined {
  if (headers === undefined || headers === '') return undefined;
  const lines = headers.split('\n').map((line) => html`${foreignText(line)}\n`);
  return html`<pre class="code" tabindex="0">${lines}</pre>`;
}

function bodyPart(
  { language: { texts } }: ShopVisit,
  body: string | undefined,
  bytes: number,
): Html | undefined {
  if (bytes === 0) return undefined;
  const size = html`<p class="hint">${texts.requests.bytes(`${bytes}`)}</p>`;
  if (body === undefined) return html`${size}<p class="hint">${texts.requests.notKept}</p>`;
  return html`${size}<pre class="code" tabindex="0">${indented(body)}</pre>`;
}
