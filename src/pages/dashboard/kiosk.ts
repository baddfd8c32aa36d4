// A browser at the counter that shows the point of sale alone. The session itself says so, so that
// no address that somebody types there leads anywhere else (guard.ts); leaving asks for a proof who
// is there, and what was proven before does not count.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendSeeOther } from '#pages/send-page.ts';
import { changeKiosk, isFresh } from '#staff/session.ts';
import { formOf } from './controls.ts';
import { proofPath, type ShopVisit, withShop } from './guard.ts';
import { roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/pos/kiosk';

export function isKiosk({ who }: ShopVisit): boolean {
  return who.session.kiosk !== undefined;
}

export function kioskRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.post(PATH, (context) =>
    withShop(app, context, 'sell', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, actor, who } = visit;
  await readVisitForm(app, context, visit);
  const path = roomPath(place, '/pos');
  const isEnding = isKiosk(visit);
  if (isEnding && !isFresh(who.session, app.clock.now())) {
    return sendSeeOther(proofPath(path));
  }
  const { merchantId, environment } = place;
  const act = { actor, merchantId, environment, subject: `person:${who.person.id}` };
  const verb = isEnding ? 'kiosk-end' : 'kiosk-start';
  await doNoted(app, { ...act, verb }, ({ db, clock }) =>
    changeKiosk({ db, clock }, who.session, isEnding ? undefined : path),
  );
  return sendSeeOther(path);
}

export function kioskCard(visit: ShopVisit): Html {
  const { pos } = visit.language.texts;
  const path = roomPath(visit.place, '/pos/kiosk');
  const isOn = isKiosk(visit);
  return html`<section class="card" id="kiosk">${!isOn && html`<h2>${pos.kiosk}</h2><p>${pos.kioskHint}</p>`}
${formOf(
  visit,
  path,
  html`<button class="quiet" id="change-kiosk">${isOn ? pos.kioskOff : pos.kioskOn}</button>`,
)}${
  isOn &&
  html`<button type="button" class="quiet" data-fullscreen data-needs="script" hidden>${pos.fullScreen}</button>`
}</section>`;
}
