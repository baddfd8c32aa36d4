// The payer in test mode, below the page of his checkout: what could happen to it, as buttons.

import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, samePath } from './checkout-page.ts';
import { shownCommitment } from './decide-page.ts';
import { decideWords } from './decide-words.ts';
import { listSandboxActs, sandboxButtons } from './sandbox-acts.ts';

export function sandboxPanel(page: CheckoutPage): Html | undefined {
  if (!page.hasSandbox) return undefined;
  const { record, query } = page;
  const isOpen = decideWords(page).due !== undefined;
  const acts = listSandboxActs(record, shownCommitment(record, query), isOpen);
  if (acts.length === 0) return undefined;
  const { texts } = page.language;
  return html`<section class="sandbox no-print" id="sandbox" aria-labelledby="sandbox-title">
<h2 id="sandbox-title"><span class="badge">${texts.page.testMode}</span> ${texts.sandbox.title}</h2>
<p class="hint">${texts.sandbox.hint}</p>
<form method="post" action="${samePath(page, '/sandbox')}" class="acts">
${sandboxButtons(acts, texts)}
</form></section>`;
}
