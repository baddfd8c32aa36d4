// The trail of a shop: what its people and keys did, what the house did with it, and what the
// service did for it. Who may not see money is shown nothing that moves real money.

import { Hono } from 'hono';
import { listShopActs } from '#audit/act.ts';
import type { PageApp } from '#pages/page-app.ts';
import { listColleagues } from '#staff/person.ts';
import { hearsWith } from '#staff/role.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { sendTrail, sendTrailFile, type Trail } from './trail-page.ts';

const PATH = '/shop/:merchantId/:environment/trail';

/** Subjects of what moves money, or says where it goes. */
const MONEY_SUBJECTS: readonly string[] = [
  ...['transfer', 'swap', 'beneficiary', 'settlement-rule', 'suspense', 'limit', 'bank-file'],
  ...['confirm', 'order', 'departure', 'withdrawal'],
];

export function trailRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-trail', async (visit) =>
      sendTrail(app, context, visit, await trailOf(app, visit)),
    ),
  );
  routes.get(`${PATH}/file`, (context) =>
    withShop(app, context, 'see-trail', async (visit) =>
      sendTrailFile(context, await trailOf(app, visit)),
    ),
  );
  return routes;
}

async function trailOf(app: PageApp, visit: ShopVisit): Promise<Trail> {
  const { place, language } = visit;
  const { title, hint, aboutHint } = language.texts.trail;
  const hearsAll = hearsWith(place.role, place.environment) === undefined;
  const unseen = hearsAll ? [] : MONEY_SUBJECTS;
  return {
    path: roomPath(place, '/trail'),
    people: await listColleagues(app.db, place.merchantId),
    hint,
    aboutHint,
    isOfHouse: false,
    list: (filter, most) => listShopActs(app.db, place, { ...filter, unseen }, most),
    page: (body) => dashboardPage({ visit, title, body, place, room: 'trail' }),
  };
}
