// The gallery: every state of the hosted page as a button. It is for developers, in English only.
// Nothing can be done there: what is pressed leads back to the sample.

import { type Context, Hono } from 'hono';
import { PAGE_KINDS } from '#pages/checkout/decide-page.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { findPageLanguage, listPageLanguages, preferredLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { findSampleState, SAMPLE_STATES, type SampleState } from './sample-states.ts';

function galleryPage(languageName: string): Page {
  return {
    language: 'en',
    title: 'Every state of the hosted page',
    body: html`<a class="skip" href="#main">Skip to the content</a>
<div class="page">
<header class="top"><a class="brand" href="/demo">Back to the demo shop</a></header>
<main id="main" data-state="gallery"><section class="card">
<h1>Every state of the hosted page</h1>
<p class="hint">Each is rendered as a real one is, from a made-up checkout: nothing can be paid.</p>
<nav class="acts" aria-label="Language">${listPageLanguages().map(
      ({ code }) =>
        html`<a class="act" href="/demo/states?language=${code}"${
          code === languageName && html` aria-current="true"`
        }>${code}</a>`,
    )}</nav></section>
${PAGE_KINDS.map((kind) => kindSection(kind, languageName))}
</main></div>`,
  };
}

function kindSection(kind: SampleState['kind'], languageName: string): Html {
  return html`<section class="card" aria-labelledby="kind-${kind}"><h2 id="kind-${kind}">${kind}</h2>
<ul class="choices">${SAMPLE_STATES.filter((state) => state.kind === kind).map(
    ({ name, about }) => html`<li><a class="choice" id="state-${name}"
 href="/demo/states/${name}?language=${languageName}"><span class="choice-text"><span
 class="choice-name">${about}</span><span class="choice-hint">${name}</span></span>
<span class="arrow" aria-hidden="true">›</span></a></li>`,
  )}</ul></section>`;
}

export function galleryRoutes(app: Pick<PageApp, 'random'>): Hono {
  const routes = new Hono();
  routes.get('/', (context) => sendPage(app, galleryPage(languageOf(context))));
  routes.get('/:name', (context) => {
    const sample = findSampleState(context.req.param('name'));
    const accepted = context.req.header('accept-language');
    if (sample === undefined) return sendPage(app, missingPage(preferredLanguage(accepted)));
    const { searchParams } = new URL(context.req.url);
    searchParams.delete('language');
    const page = sample.make({
      language: languageOf(context),
      sample: sample.name,
      ...(searchParams.size === 0 ? {} : { query: String(searchParams) }),
    });
    // A sample never changes, so its page does not reload.
    return sendPage(app, { ...renderCheckout(page), refreshSeconds: undefined });
  });
  routes.all('/:name/:act', (context) => {
    const back = ['return', 'cancel'].includes(context.req.param('act'));
    const name = back ? '' : `/${encodeURIComponent(context.req.param('name'))}`;
    return sendSeeOther(`/demo/states${name}?language=${languageOf(context)}`);
  });
  return routes;
}

/** As it is named, else as the browser wants. */
function languageOf(context: Context): string {
  const named = context.req.query('language') ?? 'auto';
  const language = findPageLanguage(named, context.req.header('accept-language'));
  return (language ?? preferredLanguage(undefined)).code;
}
