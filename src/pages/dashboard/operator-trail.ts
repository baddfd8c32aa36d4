// The trail of the house: what those who run the installation did, here and at the command line,
// and what the installation did itself. Searched, taken along, and changed by nobody.

import { Hono } from 'hono';
import { listHouseActs } from '#audit/act.ts';
import type { PageApp } from '#pages/page-app.ts';
import { actorOf, findPerson, listOperators, type Person } from '#staff/person.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { dashboardPage, operatorPath } from './shell.ts';
import { sendTrail, sendTrailFile, type Trail } from './trail-page.ts';

const PATH = operatorPath('trail').replace('/dashboard', '');

export function operatorTrailRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withOperator(app, context, async (visit) =>
      sendTrail(app, context, visit, await trailOf(app, visit)),
    ),
  );
  routes.get(`${PATH}/file`, (context) =>
    withOperator(app, context, async (visit) => sendTrailFile(context, await trailOf(app, visit))),
  );
  return routes;
}

async function trailOf(app: PageApp, visit: OperatorVisit): Promise<Trail> {
  const operators = await readOperators(app);
  const actors = operators.map(({ id }) => actorOf(id));
  const { operator } = visit.language.texts;
  return {
    path: operatorPath('trail'),
    people: operators,
    hint: operator.trail.hint,
    aboutHint: operator.trail.hints.about,
    isOfHouse: true,
    list: (filter, most) => listHouseActs(app.db, actors, filter, most),
    page: (body) =>
      dashboardPage({ visit, title: operator.rooms.trail, body, operatorRoom: 'trail' }),
  };
}

async function readOperators(app: PageApp): Promise<Pick<Person, 'id' | 'email' | 'name'>[]> {
  const found = await listOperators(app.db);
  const people = await Promise.all(found.map(({ id }) => findPerson(app.db, id)));
  return people.filter((person) => person !== undefined);
}
