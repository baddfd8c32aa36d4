// Notes on a checkout: what people of the shop write for themselves, in its timeline.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { type CheckoutNote, NOTE_MAX, writeNote } from '#desk/checkout-note.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { areaField, button, faultNote, formOf } from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/checkouts/:id/notes';

export function checkoutNotesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.post(PATH, (context) =>
    withShop(app, context, 'note', (visit) => write(app, context, visit)),
  );
  return routes;
}

async function write(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, actor, language } = visit;
  const form = await readVisitForm(app, context, visit);
  const record = await findCheckout(app, place, context.req.param('id') ?? '');
  if (record === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  const { id: checkoutId } = record;
  const owner = ownerOf(place);
  const note = form.get('note') ?? '';
  const act = {
    ...{ ...owner, actor, verb: 'checkout-note', subject: `checkout:${checkoutId}` },
  };
  try {
    await orderOnce(app, visit, form, (within) =>
      doNoted(within, act, async (inAct) => {
        const { id } = await writeNote(inAct, owner, { checkoutId, actor, note });
        return id;
      }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendAgain(app, visit, { checkoutId, note, refusal: error });
  }
  return sendSeeOther(`${roomPath(place, `/checkouts/${checkoutId}`)}#notes`);
}

type Refused = {
  readonly checkoutId: string;
  readonly note: string;
  readonly refusal: Refusal;
};

/** What was typed is not lost. */
function sendAgain(app: PageApp, visit: ShopVisit, refused: Refused): Response {
  const { place, language } = visit;
  const { checkoutId, note, refusal } = refused;
  const { notes, moneyActs, shell } = language.texts;
  const said: Readonly<Record<string, string>> = {
    note: notes.fault,
    notes_too_many: notes.most,
  };
  const body = html`${faultNote(said[refusal.code] ?? moneyActs.faults.formUsed)}
<section class="card">${noteForm(app, visit, checkoutId, note)}
<p class="ways"><a class="quiet" href="${roomPath(place, `/checkouts/${checkoutId}`)}">${shell.back}</a></p></section>`;
  const status = STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: notes.add, body, status, room: 'checkouts' }),
  );
}

/** Nothing for a role that writes none. */
export function noteForm(
  app: PageApp,
  visit: ShopVisit,
  checkoutId: string,
  typed = '',
): Html | undefined {
  const { place, language } = visit;
  const { notes } = language.texts;
  if (!mayAct(place.role, 'note')) return undefined;
  const field = { name: 'note', label: notes.add, hint: notes.hint, maxLength: NOTE_MAX };
  return html`<div id="notes">${formOf(visit, roomPath(place, `/checkouts/${checkoutId}/notes`), [
    onceField(app),
    areaField({ ...field, value: typed }),
    button(notes.keep, 'add-note'),
  ])}</div>`;
}

/** In its own lines. */
export function noteText({ note }: CheckoutNote): Html {
  const lines = note
    .split('\n')
    .map((line, index) => html`${index > 0 && html`<br>`}${foreignText(line)}`);
  return html`${lines}`;
}
