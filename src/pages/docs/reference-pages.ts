// Pages that are made from the OpenAPI document the server validates with: the list of operations,
// a page of each, error codes, and the events with a body of each.

import { type Html, html } from '#pages/html.ts';
import type { Page } from '#pages/send-page.ts';
import {
  type ApiReference,
  listOperations,
  type ReferenceContent,
  type ReferenceOperation,
  type ShownSchema,
} from './api-reference.ts';
import { docsPage } from './docs-frame.ts';
import { exampleEvent, exampleIn } from './example-of.ts';
import { codeBlock } from './render-manual.ts';
import { tryForm } from './try-form.ts';

export function referencePage(reference: ApiReference): Page {
  const groups = Map.groupBy(listOperations(reference), ({ group }) => group);
  return docsPage({
    title: 'Reference',
    state: 'reference',
    href: '/docs/reference',
    main: html`<section class="card prose"><h1>Reference</h1>
<p>Base address: <code>${reference.servers[0]?.url}</code>. JSON in, JSON out. Every success is 200;
every error is <code>{ "errors": [...] }</code> with a stable code in the header
<code>X-Error-Code</code>: <a href="/docs/errors">all codes</a>. Everything here as one file for
programs: <a href="/api/v1/openapi.json">openapi.json</a>; with the recorded examples that are shown
here: <a href="/docs/openapi.json">openapi.json with examples</a>.</p></section>
${[...groups].map(
  ([group, operations]) => html`<section class="card"><h2>${group}</h2>
<ul class="plain">${operations.map(
    ({ id, method, path, operation }) =>
      html`<li><a href="/docs/operations/${id}"><code>${method} ${path}</code></a>
<p class="hint">${operation.summary}</p></li>`,
  )}</ul></section>`,
)}`,
  });
}

/** Undefined when there is no such operation. */
export function operationPage(
  reference: ApiReference,
  id: string,
  key: string | undefined,
): Page | undefined {
  const listed = listOperations(reference).find((one) => one.id === id);
  if (listed === undefined) return undefined;
  const { method, path, operation } = listed;
  const body = operation.requestBody?.content;
  const answer = operation.responses['200']?.content;
  return docsPage({
    title: `${method} ${path}`,
    state: 'operation',
    href: '/docs/reference',
    main: html`<section class="card"><h1><code>${method} ${path}</code></h1>
<p>${operation.summary}.</p><p class="hint">${accessText(operation)}</p></section>
${parametersSection(operation)}
${requestLine(operation)}
${body !== undefined && bodySection('Request', body)}
${answer !== undefined && bodySection('Answer', answer)}
${tryForm(listed, key)}
<section class="card"><h2>Errors</h2><dl class="lines">${Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(
        ([status, { description }]) =>
          html`<div><dt>${status}</dt><dd><code>${description}</code></dd></div>`,
      )}</dl><p><a href="/docs/errors">What the codes mean</a></p></section>`,
  });
}

export function errorsPage(reference: ApiReference): Page {
  return docsPage({
    title: 'Errors',
    state: 'errors',
    href: '/docs/errors',
    main: html`<section class="card"><h1>Errors</h1>
<p>The code stands in the header <code>X-Error-Code</code> and does not change; the texts may. Each
fault of a request is named with its place, such as
<code>charge.lineItems[2].netAmount</code>. After 409
<code>idempotency_key_running</code>, 429 and 503 wait as long as <code>Retry-After</code>
says. <a href="/docs/repeating">What may be repeated</a></p>
<dl class="lines">${reference['x-error-codes'].map(
      ({ status, code, meaning }) =>
        html`<div id="${code}"><dt>${status} <code>${code}</code></dt><dd>${meaning}</dd></div>`,
    )}</dl></section>`,
  });
}

export function eventsPage(reference: ApiReference): Page {
  const types = Object.keys(reference.webhooks);
  return docsPage({
    title: 'Events',
    state: 'events',
    href: '/docs/events',
    main: html`<section class="card prose"><h1>Events</h1>
<p>Each is told by a <a href="/docs/webhooks">webhook</a> and stands in
<a href="/docs/operations/get-events">GET /events</a> for 60 days. Beside what is shown here the
answer to a webhook may get more fields: ignore what you do not know.</p>
<ul class="plain">${types.map((type) => html`<li><a href="#${type}"><code>${type}</code></a></li>`)}</ul>
</section>
${types.map((type) => {
  const told = exampleEvent(reference, type);
  return html`<section class="card" id="${type}"><h2><code>${type}</code></h2>
<p>${told?.summary}.</p>${codeBlock(JSON.stringify(told?.body, undefined, 2))}</section>`;
})}`,
  });
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

/** Where nothing but an address is sent: what was recorded. */
function requestLine(operation: ReferenceOperation): Html | undefined {
  const { requestBody, 'x-recorded-request': request } = operation;
  if (requestBody !== undefined || request === undefined) return undefined;
  return html`<section class="card"><h2>Request</h2>${codeBlock(request)}</section>`;
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

function bodySection(title: string, content: ReferenceContent): Html {
  return html`<section class="card"><h2>${title}</h2>${fieldList(content['application/json'].schema)}
<h3>Example</h3>${codeBlock(JSON.stringify(exampleIn(content), undefined, 2))}</section>`;
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
