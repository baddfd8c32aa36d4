import { type Html, html } from '#pages/html.ts';
import type { Page } from '#pages/send-page.ts';
import type { ApiReference } from './api-reference.ts';
import { docsPage } from './docs-page.ts';
import { GUIDES } from './guides.ts';
import { type ListedOperation, listOperations } from './list-operations.ts';

export function overviewPage(reference: ApiReference): Page {
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
