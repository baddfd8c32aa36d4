// The gallery: every state of the hosted page as a button. English only, like the demo shop.
import { PAGE_KINDS } from '#pages/checkout/decide-page.ts';
import { type Html, html } from '#pages/html.ts';
import { listPageLanguages } from '#pages/languages/texts.ts';
import type { Page } from '#pages/send-page.ts';
import { SAMPLE_STATES, type SampleState } from './sample-states.ts';

export function galleryPage(languageName: string): Page {
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
