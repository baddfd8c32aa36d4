import { type Html, html } from '#pages/html.ts';
import type { Page } from '#pages/send-page.ts';
import { docsPage, json } from './docs-page.ts';
import type { Guide, GuideStep } from './guides.ts';

export function guidePage({ title, about, steps, code }: Guide): Page {
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
