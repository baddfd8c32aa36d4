// Everything of a shop as one archive, for whoever may change its settings and proved a moment ago
// who he is: it holds what is personal of all customers. That it was taken stands in the trail
// before its first byte leaves.

import { type Context, Hono } from 'hono';
import { noteAct } from '#audit/act.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendStream } from '#pages/send-page.ts';
import { zipFile } from '#pages/zip-file.ts';
import { isFresh } from '#staff/session.ts';
import { button, formOf } from './controls.ts';
import { askForProof, type ShopVisit, withShop } from './guard.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { shopArchive } from './shop-archive.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/export';

export function settingsExportRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) => withShop(app, context, 'settings', (visit) => show(app, visit)));
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => take(app, context, visit)),
  );
  return routes;
}

function show(app: PageApp, visit: ShopVisit): Response {
  const { place, language } = visit;
  const { settings } = language.texts;
  const body = html`${settingsTabs(visit, 'export')}
<section class="card"><p>${settings.exportHint}</p><p class="hint">${settings.exportNot}</p>
${formOf(visit, roomPath(place, '/settings/export'), button(settings.exportTake, 'take'))}</section>`;
  const title = settings.export;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'settings' }));
}

async function take(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { place, actor, who } = visit;
  const { merchantId, environment } = place;
  const now = app.clock.now();
  if (!isFresh(who.session, now)) return askForProof(app, context, visit, form);
  await app.db.single(async (tx) =>
    noteAct(tx, {
      ...{ actedAt: now, actor, verb: 'shop-export', subject: `merchant:${merchantId}` },
      ...{ merchantId, environment },
    }),
  );
  const day = now.toZonedDateTimeISO('UTC').toPlainDate();
  const test = environment === 'test' ? 'test-' : '';
  const archive = zipFile(shopArchive(app, place), now);
  return sendStream(archive, 'application/zip', `${test}shop-${merchantId}-${day}.zip`);
}
