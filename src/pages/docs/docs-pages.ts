// The manual at /docs: written pages, and a reference made from the OpenAPI document that the
// server validates with. Each written page is there as Markdown too, for programs that read.
// Nothing is loaded from anywhere else.

import { type Context, Hono } from 'hono';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage, sendSeeOther, sendText } from '#pages/send-page.ts';
import type { ApiReference } from './api-reference.ts';
import { stepTabs } from './call-code.ts';
import { docsPage } from './docs-frame.ts';
import { exampleEvent } from './example-of.ts';
import { plainManual } from './plain-manual.ts';
import { MANUAL, MANUAL_GROUPS, type ManualPage } from './read-manual.ts';
import { findReaderKey } from './reader-key.ts';
import { errorsPage, eventsPage, operationPage, referencePage } from './reference-pages.ts';
import { renderManual } from './render-manual.ts';
import { searchManual } from './search-manual.ts';
import { fillSnippet, type ManualReader, snippetTabs } from './snippets.ts';

export function docsRoutes(app: PageApp, reference: () => ApiReference): Hono {
  const routes = new Hono();
  const readerOf = async (context: Context): Promise<ManualReader> => ({
    url: app.publicUrl,
    key: await findReaderKey(app, context),
  });
  const missing = (context: Context) =>
    sendPage(app, missingPage(preferredLanguage(context.req.header('accept-language'))));
  routes.get('/', () => sendPage(app, overviewPage()));
  routes.get('/reference', () => sendPage(app, referencePage(reference())));
  routes.get('/openapi.json', (context) =>
    app.apiDocument === undefined
      ? missing(context)
      : sendText(JSON.stringify(app.apiDocument()), 'application/json'),
  );
  routes.get('/errors', () => sendPage(app, errorsPage(reference())));
  routes.get('/events', () => sendPage(app, eventsPage(reference())));
  routes.get('/search', (context) =>
    sendPage(app, searchPage(reference(), context.req.query('q') ?? '')),
  );
  routes.get('/operations/:id', async (context) => {
    const { key } = await readerOf(context);
    const page = operationPage(reference(), context.req.param('id'), key);
    return page === undefined ? missing(context) : sendPage(app, page);
  });
  // As links were before the manual had more than guides.
  routes.get('/guides/:id', (context) => {
    const id = MOVED.get(context.req.param('id')) ?? context.req.param('id');
    return findManual(id) === undefined ? missing(context) : sendSeeOther(`/docs/${id}`);
  });
  routes.get('/:id', async (context) => {
    const id = context.req.param('id');
    const asText = id.endsWith('.md');
    const page = findManual(asText ? id.slice(0, -'.md'.length) : id);
    if (page === undefined) return missing(context);
    const reader = await readerOf(context);
    if (asText) return sendText(plainManual(page, reader, reference()), 'text/markdown');
    return sendPage(app, manualPage(page, reader, reference()));
  });
  return routes;
}

const MOVED = new Map([
  ['verify-a-webhook', 'webhooks'],
  ['money-not-as-asked', 'not-as-asked'],
  ['refund', 'refunds'],
]);

function findManual(id: string): ManualPage | undefined {
  return MANUAL.find((page) => page.id === id);
}

function overviewPage(): Page {
  return docsPage({
    title: 'Overview',
    state: 'docs',
    href: '/docs',
    main: html`<section class="card prose"><h1>Take payments with a few calls</h1>
<p>Create a checkout, send the buyer to its page, and ship when the webhook says that it is
paid.</p>
<p><a class="button" href="/docs/quick-start">Quick start</a></p></section>
${MANUAL_GROUPS.map(
  (group) =>
    html`<section class="card"><h2>${group}</h2><ul class="plain">${MANUAL.filter(
      (page) => page.group === group,
    ).map(
      ({ id, title, about }) =>
        html`<li><a href="/docs/${id}">${title}</a><p class="hint">${about}</p></li>`,
    )}</ul></section>`,
)}
<section class="card"><h2>Made from the contract</h2><ul class="plain">
<li><a href="/docs/reference">Reference</a>
<p class="hint">Every operation with its fields, an example and its errors.</p></li>
<li><a href="/docs/events">Events</a>
<p class="hint">Everything that a webhook tells, with a body.</p></li>
<li><a href="/docs/errors">Errors</a><p class="hint">Every code and what it means.</p></li></ul></section>`,
  });
}

function manualPage(page: ManualPage, reader: ManualReader, reference: ApiReference): Page {
  const { id, title, about } = page;
  const { body, headings } = renderManual(page, {
    tabsOfStep: stepTabs,
    tabsOfFile: (name) => snippetTabs(name, reader),
    fill: (text) => fillSnippet(text, reader),
    eventBody: (type) => exampleEvent(reference, type)?.body,
  });
  return docsPage({
    title,
    state: 'manual',
    href: `/docs/${id}`,
    main: html`<article class="card prose"><h1>${title}</h1><p class="hint">${about}</p>
${headings.length > 2 && contents(headings)}${body}
<p class="hint"><a href="/docs/${id}.md">This page as Markdown</a></p></article>`,
  });
}

function contents(headings: readonly { readonly anchor: string; readonly text: string }[]): Html {
  return html`<ul class="contents">${headings.map(
    ({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li>`,
  )}</ul>`;
}

function searchPage(reference: ApiReference, query: string): Page {
  const found = searchManual(reference, query);
  return docsPage({
    title: query === '' ? 'Search' : `Search: ${query.slice(0, 60)}`,
    state: 'search',
    href: '/docs/search',
    query,
    main: html`<section class="card"><h1>Search</h1>${
      found.length === 0
        ? html`<p>${
            query === ''
              ? 'Type what you look for: a word, a field, an error code.'
              : 'Nothing has these words. Try fewer, or look through the list of pages.'
          }</p>`
        : html`<ul class="plain">${found.map(
            ({ href, title, where, excerpt }) =>
              html`<li><a href="${href}">${title}</a> <span class="hint">${where}</span>
<p class="hint">${excerpt}</p></li>`,
          )}</ul>`
    }</section>`,
  });
}
