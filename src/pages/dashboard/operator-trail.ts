// The trail of the house: what those who run the installation did, here and at the command line,
// and what the installation did itself. Each act with who, when, about what, and what was written
// with it (values before and after, reasons). It is searched, and changed by nobody.

import { type Context, Hono } from 'hono';
import { type Act, listHouseActs } from '#audit/act.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { actorOf, findPerson, listOperators, type Person } from '#staff/person.ts';
import { button, rows, textField } from './controls.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { actorText, line, linesOf } from './money-words.ts';
import { dashboardPage, operatorPath } from './shell.ts';

const SHOWN = 50;
const FIELD_MOST = 200;

type Asked = Readonly<Record<'by' | 'verb' | 'about' | 'from' | 'to', string>>;

export function operatorTrailRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(operatorPath('trail').replace('/dashboard', ''), (context) =>
    withOperator(app, context, (visit) => sendTrail(app, context, visit)),
  );
  return routes;
}

function readAsked(context: Context): Asked {
  const read = (name: string) => (context.req.query(name) ?? '').trim().slice(0, FIELD_MOST);
  const [by, verb, about] = [read('by'), read('verb'), read('about')];
  return { by, verb, about, from: read('from'), to: read('to') };
}

async function sendTrail(app: PageApp, context: Context, visit: OperatorVisit): Promise<Response> {
  const { operator } = visit.language.texts;
  const asked = readAsked(context);
  const operators = await readOperators(app);
  const after = context.req.query('after') ?? '';
  const found = await listHouseActs(
    app.db,
    operators.map(({ id }) => actorOf(id)),
    {
      ...{ actor: actorAsked(operators, asked.by), verb: asked.verb || undefined },
      about: asked.about || undefined,
      since: startOf(asked.from, 0),
      before: startOf(asked.to, 1),
      olderThan: /^\d{1,18}$/.test(after) ? BigInt(after) : undefined,
    },
    SHOWN + 1,
  );
  const acts = found.slice(0, SHOWN);
  const names = await namesOf(app, visit, acts);
  const last = found.length > SHOWN ? acts.at(-1) : undefined;
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  const older = new URLSearchParams([...given, ['after', `${last?.id ?? ''}`]]);
  const path = operatorPath('trail');
  const listed = acts.map((act) => ({ what: actItem(visit, act, names.get(act.actor)) }));
  const body = html`<section class="card"><p class="hint">${operator.trail.hint}</p>
${searchForm(visit, asked)}
${acts.length === 0 ? html`<p>${operator.trail.none}</p>` : rows(listed)}
${
  last !== undefined &&
  html`<p class="ways"><a class="quiet" id="older" href="${`${path}?${older}`}">${operator.next}</a></p>`
}</section>`;
  const title = operator.rooms.trail;
  return sendPage(app, dashboardPage({ visit, title, body, operatorRoom: 'trail' }));
}

type Operator = Pick<Person, 'id' | 'email' | 'name'>;

async function readOperators(app: PageApp): Promise<Operator[]> {
  const found = await listOperators(app.db);
  const people = await Promise.all(found.map(({ id }) => findPerson(app.db, id)));
  return people.filter((person) => person !== undefined);
}

/** A person of the house by name or address; anybody else as the trail names him. */
function actorAsked(operators: readonly Operator[], by: string): string | undefined {
  if (by === '') return undefined;
  const wanted = by.toLowerCase();
  const known = operators.find(({ name, email }) =>
    [name.toLowerCase(), email.toLowerCase()].includes(wanted),
  );
  return known === undefined ? by : actorOf(known.id);
}

/** Days are those of UTC. What is no day asks for nothing. */
function startOf(day: string, later: number): Temporal.Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  try {
    const date = Temporal.PlainDate.from(day).add({ days: later });
    return date.toZonedDateTime('UTC').toInstant();
  } catch {
    return undefined;
  }
}

function searchForm({ language }: OperatorVisit, asked: Asked): Html {
  const { operator, reports, checkouts } = language.texts;
  const { trail } = operator;
  const day = (name: 'from' | 'to') => html`<p class="field">
<label class="label" for="${name}">${reports[name]}</label>
<input id="${name}" name="${name}" type="date" value="${asked[name]}"></p>`;
  const field = (name: 'by' | 'verb' | 'about') =>
    textField({
      ...{ name, label: trail[name], hint: trail.hints[name], value: asked[name] },
      ...{ isRequired: false, maxLength: FIELD_MOST },
    });
  return html`<form method="get" action="${operatorPath('trail')}" class="filter views" role="search">
${field('by')}${field('verb')}${field('about')}${day('from')}${day('to')}
${button(checkouts.show, 'show')}</form>`;
}

type Names = ReadonlyMap<string, Html | string>;

async function namesOf(
  app: PageApp,
  visit: OperatorVisit,
  acts: readonly Pick<Act, 'actor'>[],
): Promise<Names> {
  const actors = [...new Set(acts.map(({ actor }) => actor))];
  const named = actors.map(async (actor) => [actor, await actorText(app, visit, actor)] as const);
  return new Map(await Promise.all(named));
}

function actItem(visit: OperatorVisit, act: Act, who: Html | string | undefined): Html {
  const { language } = visit;
  const { shell, operator } = language.texts;
  const { id, actedAt, verb, subject, environment, merchantId, details } = act;
  const mode = environment === 'test' ? shell.test : shell.live;
  return html`<strong data-act="${id}"><code>${verb}</code></strong> <span>${who}</span>
<span class="hint">${momentTime(actedAt, language.code)}${environment !== undefined && html`, ${mode}`}</span>
${linesOf([
  line(operator.trail.about, html`<code>${foreignText(subject)}</code>`),
  merchantId !== undefined && line(operator.merchant, html`<code>${merchantId}</code>`),
  ...detailLines(details),
])}`;
}

/** As the program wrote them, which is English. */
function detailLines(details: string): Html[] {
  const read: unknown = JSON.parse(details);
  const entries = Object.entries(Object(read) as Readonly<Record<string, unknown>>);
  return entries.map(
    ([name, value]) =>
      html`<div><dt lang="en">${foreignText(name)}</dt>
<dd lang="en">${foreignText(String(value || '–'))}</dd></div>`,
  );
}
