import { type Html, html } from '#pages/html.ts';
import type { Page } from '#pages/send-page.ts';

/** The frame of all pages of the manual, which is in English. */
export function docsPage(title: string, state: string, main: Html): Page {
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

export function json(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, undefined, 2)}</code></pre>`;
}
