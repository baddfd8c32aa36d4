// A form that orders something is carried out once, however often it is sent: it carries a token of
// its own beside that of the browser.

import { doOnce } from '#audit/do-once.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import { type Html, html } from '#pages/html.ts';
import type { ShopVisit } from './guard.ts';

/** To stand in the form. */
export function onceField({ random }: { readonly random: Random }): Html {
  return html`<input type="hidden" name="once" value="${newId(random)}">`;
}

/**
 * What `work` answered when this form was first sent.
 * @throws Refusal invalid `form_token`; conflict `form_used`
 */
export function orderOnce<App extends { readonly db: Db; readonly clock: Clock }>(
  app: App,
  { actor, path }: ShopVisit,
  form: URLSearchParams,
  work: (within: App) => Promise<string>,
): Promise<string> {
  const said = [...form].filter(([name]) => name !== 'form' && name !== 'at').flat();
  return doOnce(app, { actor, token: form.get('once') ?? '', said: [path, ...said] }, work);
}
