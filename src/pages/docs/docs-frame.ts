// The frame of all pages of the manual, which is in English: search, list of pages, what comes
// next.

import { type Html, html } from '#pages/html.ts';
import { DOCS_SCRIPT, DOCS_STYLESHEET } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import { MANUAL, MANUAL_GROUPS } from './read-manual.ts';

type ManualLink = { readonly href: string; readonly title: string };

/** Pages that are made from the contract, beside those that are written. */
const MADE: readonly (ManualLink & { readonly group: string })[] = [
  { group: 'Build', href: '/docs/reference', title: 'Reference' },
  { group: 'Build', href: '/docs/events', title: 'Events' },
  { group: 'Build', href: '/docs/errors', title: 'Errors' },
];

/** Every page that the list beside the text names, in its order. */
const MANUAL_LINKS: readonly (ManualLink & { readonly group: string })[] = MANUAL_GROUPS.flatMap(
  (group) => [
    ...MANUAL.filter((page) => page.group === group).map(({ id, title }) => ({
      ...{ group, title },
      href: `/docs/${id}`,
    })),
    ...MADE.filter((page) => page.group === group),
  ],
);

type DocsPage = {
  readonly title: string;
  readonly state: string;
  /** Of this page, as the list names it. */
  readonly href: string;
  readonly main: Html;
  /** What was searched for. */
  readonly query?: string;
};

export function docsPage({ title, state, href, main, query = '' }: DocsPage): Page {
  return {
    language: 'en',
    title: `${title}: Quittance manual`,
    stylesheets: [DOCS_STYLESHEET.path],
    scripts: [DOCS_SCRIPT.path],
    body: html`<a class="skip" href="#main">To the content</a><div class="page wide">
<header class="top"><a class="brand" href="/docs">Quittance manual</a>
<a class="to-pages" href="#pages">All pages</a></header>
<form class="manual-search" action="/docs/search" role="search"><input type="search" name="q" value="${query}"
aria-label="Search the manual" placeholder="Search"><button class="button">Find</button></form>
<div class="manual"><main id="main" data-state="${state}">${main}${nextPages(href)}</main>
<nav id="pages" aria-label="All pages">${pageList(href)}</nav></div>
</div>`,
  };
}

function pageList(href: string): Html[] {
  const groups = Map.groupBy(MANUAL_LINKS, ({ group }) => group);
  return [...groups].map(
    ([group, links]) =>
      html`<h2 class="manual-group">${group}</h2><ul>${links.map(
        (link) =>
          html`<li><a href="${link.href}"${
            link.href === href && html` aria-current="page"`
          }>${link.title}</a></li>`,
      )}</ul>`,
  );
}

function nextPages(href: string): Html | undefined {
  const at = MANUAL_LINKS.findIndex((link) => link.href === href);
  if (at < 0) return undefined;
  const [before, after] = [MANUAL_LINKS[at - 1], MANUAL_LINKS[at + 1]];
  return html`<nav class="next" aria-label="Neighbouring pages">${
    before !== undefined && html`<a href="${before.href}" rel="prev">← ${before.title}</a>`
  }<span></span>${
    after !== undefined && html`<a href="${after.href}" rel="next">${after.title} →</a>`
  }</nav>`;
}
