// The pages of the manual: overview, guides, reference of each operation, errors. In English.

import { Hono } from 'hono';
import type { Random } from '#base/random.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import { type Page, sendPage } from '#pages/send-page.ts';
import {
  type ApiReference,
  type ListedOperation,
  listOperations,
  type ReferenceOperation,
  type ShownSchema,
} from './api-reference.ts';
import { exampleOf } from './example-of.ts';
import { GUIDES, type Guide, type GuideStep } from './guides.ts';

/** The frame of all pages of the manual, which is in English. */
function docsPage(title: string, state: string, main: Html): Page {
  return {
    language: 'en',
    title: `${title}: Quittance API`,
    body: html`<a class="skip" href="#main">To the content</a><div class="page">
<header class="top"><a class="brand" href="/docs">Quittance API</a>
<a href="/api/v1/openapi.json">openapi.json</a></header>
<main id="main" data-state="${state}">${main}</main>
</div>`,
  };
}

function json(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, undefined, 2)}</code></pre>`;
}

function overviewPage(reference: ApiReference): Page {
  const groups = Map.groupBy(listOperations(reference), ({ group }) => group);
  return docsPage(
    'Manual',
    'docs',
    html`<section class="card"><h1>Take payments with a few calls</h1>
<p>Base address: <code>${reference.servers[0]?.url}</code>. JSON in, JSON out. Every success is 200;
every error is <code>{ "errors": [...] }</code> with a stable code in the header
<code>X-Error-Code</code>: <a href="/docs/errors">all codes</a>.</p>
<h2>Signing</h2>
<p>Three headers: <code>X-Digest-Key</code> with the API key, <code>X-Digest-Timestamp</code> with
Unix seconds, and <code>X-Digest-Signature</code> with the lower-case hex HMAC-SHA256, keyed with
the secret, over path, timestamp, method and body. The path is as listed below, without the base
address and without query; the body of a GET is empty. Test keys may send <code>X-Basic</code>
instead: the hex SHA-256 over <code>KEY:SECRET</code>.</p>
<h2>Repeating</h2>
<p>Send an <code>Idempotency-Key</code> with a POST: repeated with the same body it answers what it
answered before, and has its effect once.</p></section>
<section class="card"><h2>Guides</h2><ul class="plain">${GUIDES.map(
      ({ id, title }) => html`<li><a href="/docs/guides/${id}">${title}</a></li>`,
    )}</ul></section>
${[...groups].map(([group, operations]) => groupSection(group, operations))}`,
  );
}

function groupSection(group: string, operations: readonly ListedOperation[]): Html {
  return html`<section class="card"><h2>${group}</h2><ul class="plain">${operations.map(
    ({ id, method, path, operation }) =>
      html`<li><a href="/docs/operations/${id}"><code>${method} ${path}</code></a>
<p class="hint">${operation.summary}</p></li>`,
  )}</ul></section>`;
}

function guidePage({ title, about, steps, code }: Guide): Page {
  return docsPage(
    title,
    'guide',
    html`<section class="card"><h1>${title}</h1><p>${about}</p></section>
${steps.map(stepSection)}
${
  code !== undefined &&
  html`<section class="card"><h2>Code</h2><pre tabindex="0"><code>${code}</code></pre></section>`
}`,
  );
}

function stepSection({ text, method, path, query, body }: GuideStep): Html {
  return html`<section class="card"><p>${text}</p>
<pre tabindex="0"><code>${method} /api/v1${path}${query}</code></pre>
${body !== undefined && json(body)}</section>`;
}

/** Undefined when there is no such operation. */
function operationPage(reference: ApiReference, id: string): Page | undefined {
  const listed = listOperations(reference).find((one) => one.id === id);
  if (listed === undefined) return undefined;
  const { method, path, operation } = listed;
  const body = operation.requestBody?.content['application/json'].schema;
  const answer = operation.responses['200']?.content['application/json'].schema ?? {};
  return docsPage(
    `${method} ${path}`,
    'operation',
    html`<section class="card"><h1><code>${method} ${path}</code></h1>
<p>${operation.summary}.</p><p class="hint">${accessText(operation)}</p></section>
${parametersSection(operation)}
${body !== undefined && bodySection('Request', body)}
${bodySection('Answer', answer)}
<section class="card"><h2>Errors</h2><dl class="lines">${Object.entries(operation.responses)
      .filter(([status]) => status !== '200')
      .map(
        ([status, { description }]) =>
          html`<div><dt>${status}</dt><dd><code>${description}</code></dd></div>`,
      )}</dl><p><a href="/docs/errors">What the codes mean</a></p></section>`,
  );
}

function errorsPage(reference: ApiReference): Page {
  return docsPage(
    'Errors',
    'errors',
    html`<section class="card"><h1>Errors</h1>
<p>The code stands in the header <code>X-Error-Code</code> and does not change; the texts may.
After 409 <code>idempotency_key_running</code>, 429 and 503 wait as long as <code>Retry-After</code>
says.</p><dl class="lines">${reference['x-error-codes'].map(
      ({ status, code, meaning }) =>
        html`<div><dt>${status} <code>${code}</code></dt><dd>${meaning}</dd></div>`,
    )}</dl></section>`,
  );
}

function accessText(operation: ReferenceOperation): string {
  if (operation.security.length === 0) return 'Public: needs no credentials.';
  const scope = operation['x-scope'];
  const scopeText = scope === 'any' ? 'any key' : `a key with the scope ${scope}`;
  const isDigestOnly = operation.security.length === 1;
  return operation['x-replay-class'] === 'money'
    ? `Moves money: ${scopeText}, signed (never X-Basic) anew for each request, from an address ` +
        'on the IP allow-list.'
    : `Needs ${scopeText}${isDigestOnly ? ', signed (never X-Basic)' : ''}.`;
}

function parametersSection({ parameters }: ReferenceOperation): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<section class="card"><h2>Parameters</h2><ul class="plain">${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<li><code>${name}</code> <span class="hint">${place}, ${typeText(schema)}${
        required && ', required'
      }</span>${description !== undefined && html`<p class="hint">${description}</p>`}</li>`,
  )}</ul></section>`;
}

function bodySection(title: string, schema: ShownSchema): Html {
  return html`<section class="card"><h2>${title}</h2>${fieldList(schema)}
<h3>Example</h3>${json(exampleOf(schema))}</section>`;
}

/** Each field under its whole path, as errors name it. */
function fieldList(schema: ShownSchema, path = ''): Html | undefined {
  const object = objectIn(schema);
  if (object?.properties === undefined) return undefined;
  const { properties, required = [] } = object;
  return html`<ul class="plain">${Object.entries(properties).map(
    ([name, member]) =>
      html`<li><code>${path}${name}</code> <span class="hint">${typeText(member)}${
        required.includes(name) && ', required'
      }</span>${
        member.description !== undefined && html`<p class="hint">${member.description}</p>`
      }${fieldList(member, `${path}${name}${isList(member) ? '[]' : ''}.`)}</li>`,
  )}</ul>`;
}

function isList(schema: ShownSchema): boolean {
  return schema.type === 'array' || (schema.anyOf?.some(isList) ?? false);
}

/** The object inside lists and choices, whose fields are worth showing. */
function objectIn(schema: ShownSchema): ShownSchema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectIn(schema.items);
  return schema.anyOf?.map(objectIn).find((one) => one !== undefined);
}

function typeText(schema: ShownSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ');
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
  const type =
    typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any']).join(' or ');
  const length = schema.maxLength === undefined ? '' : ` up to ${schema.maxLength} characters`;
  return `${type.replaceAll('string', 'text')}${length}`;
}

// The manual of the API at /docs: guides, and a reference made from the OpenAPI document that the
// server validates with. Nothing is loaded from anywhere else.
export function docsRoutes(app: { readonly random: Random }, reference: ApiReference): Hono {
  const routes = new Hono();
  routes.get('/', () => sendPage(app, overviewPage(reference)));
  routes.get('/errors', () => sendPage(app, errorsPage(reference)));
  routes.get('/guides/:id', (context) => {
    const guide = GUIDES.find(({ id }) => id === context.req.param('id'));
    const language = preferredLanguage(context.req.header('accept-language'));
    return sendPage(app, guide === undefined ? missingPage(language) : guidePage(guide));
  });
  routes.get('/operations/:id', (context) => {
    const page = operationPage(reference, context.req.param('id'));
    const language = preferredLanguage(context.req.header('accept-language'));
    return sendPage(app, page ?? missingPage(language));
  });
  return routes;
}
