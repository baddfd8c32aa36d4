// What stands here, for whoever opens the address of the service itself: in English, like its
// manual.
import { html } from './html.ts';
import type { Page } from './send-page.ts';

const MANUAL = 'README.md';

export function landingPage(hasDemo: boolean): Page {
  return {
    language: 'en',
    title: 'Quittance: checkouts for crypto payments, on your own machine',
    body: html`<div class="page narrow">
<header class="top"><span class="brand">Quittance</span></header>
<main id="main" data-state="landing">
<section class="card">
<h1>It runs.</h1>
<p>Quittance takes payments in cryptocurrencies for shops: it creates checkouts, watches the
networks, keeps the books, and tells the shop. On your own machine, with your own keys.</p>
${
  hasDemo &&
  html`<p><a class="button" id="demo" href="/demo">Open the demo shop</a></p>
<p class="hint">Buy something with a simulated wallet and see the webhook arrive.
No real money moves.</p>`
}
</section>
<section class="card">
<h2>For developers</h2>
<ul class="plain">
<li><a href="/docs">Manual of the API</a>: guides and reference of <code>/api/v1</code>.
Test keys stand in the output of the first start.</li>
<li><code>${MANUAL}</code>: from a clone to a paid checkout in two minutes.</li>
<li><a href="/health">Health</a>: database, networks, rates.</li>
</ul>
</section>
</main>
</div>`,
  };
}
