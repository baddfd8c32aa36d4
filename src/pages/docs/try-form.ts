// A form that sends a request of the reference with a test key of the reader, from his browser.
// The secret is typed in and signs there: it is sent nowhere and kept nowhere. Without JavaScript
// there is no form.

import { type Html, html } from '#pages/html.ts';
import type { ListedOperation } from './api-reference.ts';
import { exampleIn } from './example-of.ts';

/** Nothing where a try would move money, which needs an address on the list for withdrawals. */
export function tryForm(
  { method, path, operation }: ListedOperation,
  key: string | undefined,
): Html | undefined {
  if (operation['x-replay-class'] === 'money') return undefined;
  const inQuery = operation.parameters.filter((one) => one.in === 'query' && one.name !== 'meta');
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const content = operation.requestBody?.content;
  return html`<section class="card"><h2>Try it</h2>
<p class="hint">With a test key nothing real happens. The secret signs in this browser and is not
sent.</p>
<form class="try stack" data-method="${method}" data-path="${path}" data-base="/api/v1" hidden>
${
  operation.security.length > 0 &&
  html`<label class="try-field">Test key<input name="key" value="${key ?? ''}" autocomplete="off" required
pattern="[a-z0-9]{12}"></label>
<label class="try-field">Secret<input name="secret" type="password" autocomplete="off" required></label>`
}
${inPath.map(({ name }) => html`<label class="try-field">${name}<input name="path.${name}" required></label>`)}
${inQuery.map(
  ({ name, required }) =>
    html`<label class="try-field">${name}<input name="query.${name}"${required && html` required`}></label>`,
)}
${
  content !== undefined &&
  html`<label class="try-field">Body<textarea name="body" spellcheck="false">${JSON.stringify(exampleIn(content), undefined, 2)}</textarea></label>`
}
<button class="button">Send</button>
<pre tabindex="0"><output aria-live="polite"></output></pre></form>
<noscript><p class="hint">Needs JavaScript.</p></noscript></section>`;
}
