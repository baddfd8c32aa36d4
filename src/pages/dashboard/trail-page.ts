// A trail as it is read: searched by who, what, about what and by day; each act with who, when,
// from where, about what, and what was written with it (values before and after, reasons). The same
// search as a file, written while it is read, so that years of it need no more memory than a day.

import type { Context } from 'hono';
import type { Act, TrailFilter } from '#audit/act.ts';
import { timestamp } from '#base/instant.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage, sendStream } from '#pages/send-page.ts';
import { csvHead, csvRows } from '#report/csv-text.ts';
import { columns } from '#report/report.ts';
import { actorOf, type Person } from '#staff/person.ts';
import { button, rows, textField } from './controls.ts';
import type { SignedInVisit } from './guard.ts';
import { actorText, line, linesOf } from './money-words.ts';

export type Trail = {
  readonly path: string;
  /** Found by name or address. */
  readonly people: readonly Pick<Person, 'id' | 'email' | 'name'>[];
  readonly hint: string;
  readonly aboutHint: string;
  /** Each act says which shop it is of. */
  readonly isOfHouse: boolean;
  /** The newest first. */
  readonly list: (filter: TrailFilter, most: number) => Promise<Act[]>;
  readonly page: (body: Html) => Page;
};

const SHOWN = 50;
const FIELD_MOST = 200;
const FILE_AT_ONCE = 1_000;
const CSV_COLUMNS = columns(
  ...['number', 'timestamp', 'actor', 'person', 'verb', 'subject'],
  ...['environment', 'merchantId', 'sentFrom', 'details'],
);

type Asked = Readonly<Record<'by' | 'verb' | 'about' | 'from' | 'to', string>>;

function readAsked(context: Context): Asked {
  const read = (name: string) => (context.req.query(name) ?? '').trim().slice(0, FIELD_MOST);
  const [by, verb, about] = [read('by'), read('verb'), read('about')];
  return { by, verb, about, from: read('from'), to: read('to') };
}

function filterOf({ people }: Trail, { by, verb, about, from, to }: Asked): TrailFilter {
  return {
    ...{ actor: actorAsked(people, by), verb: verb || undefined, about: about || undefined },
    ...{ since: startOf(from, 0), before: startOf(to, 1), olderThan: undefined },
  };
}

export async function sendTrail(
  app: PageApp,
  context: Context,
  visit: SignedInVisit,
  trail: Trail,
): Promise<Response> {
  const { operator, trail: texts } = visit.language.texts;
  const asked = readAsked(context);
  const after = context.req.query('after') ?? '';
  const olderThan = /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
  const found = await trail.list({ ...filterOf(trail, asked), olderThan }, SHOWN + 1);
  const acts = found.slice(0, SHOWN);
  const names = await namesOf(app, visit, acts);
  const last = found.length > SHOWN ? acts.at(-1) : undefined;
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  const older = new URLSearchParams([...given, ['after', `${last?.id ?? ''}`]]);
  const file = (format: string) =>
    `${trail.path}/file?${new URLSearchParams([...given, ['format', format]])}`;
  const listed = acts.map((act) => ({
    what: actItem(visit, trail, act, names.get(act.actor)),
  }));
  const body = html`<section class="card"><p class="hint">${trail.hint}</p>
${searchForm(visit, trail, asked)}
${acts.length === 0 ? html`<p>${operator.trail.none}</p>` : rows(listed)}
<p class="ways">${
    last !== undefined &&
    html`<a class="quiet" id="older" href="${`${trail.path}?${older}`}">${operator.next}</a>`
  }<a class="quiet" id="as-csv" href="${file('csv')}">${texts.asCsv}</a>
<a class="quiet" id="as-json" href="${file('json')}">${texts.asJson}</a></p></section>`;
  return sendPage(app, trail.page(body));
}

/** What was searched for, all of it, the newest first. */
export function sendTrailFile(context: Context, trail: Trail): Response {
  const filter = filterOf(trail, readAsked(context));
  return context.req.query('format') === 'json'
    ? sendStream(asJson(trail, filter), 'application/json; charset=utf-8', 'trail.json')
    : sendStream(asCsv(trail, filter), 'text/csv; charset=utf-8; header=present', 'trail.csv');
}

async function* readActs(trail: Trail, filter: TrailFilter): AsyncGenerator<readonly Act[]> {
  let olderThan: bigint | undefined;
  let acts: readonly Act[];
  do {
    acts = await trail.list({ ...filter, olderThan }, FILE_AT_ONCE);
    yield acts;
    olderThan = acts.at(-1)?.id;
  } while (acts.length === FILE_AT_ONCE);
}

type Row = Readonly<Record<string, string | null>>;

function rowOf({ people }: Trail, act: Act): Row {
  const { sentFrom } = detailsOf(act);
  return {
    ...{ number: `${act.id}`, timestamp: timestamp(act.actedAt), actor: act.actor },
    person: people.find(({ id }) => actorOf(id) === act.actor)?.name ?? null,
    ...{ verb: act.verb, subject: act.subject, environment: act.environment ?? null },
    ...{ merchantId: act.merchantId ?? null, sentFrom: sentFrom == null ? null : `${sentFrom}` },
    details: act.details,
  };
}

async function* asCsv(trail: Trail, filter: TrailFilter): AsyncGenerator<string> {
  yield csvHead(CSV_COLUMNS);
  for await (const acts of readActs(trail, filter)) {
    yield csvRows(
      CSV_COLUMNS,
      acts.map((act) => rowOf(trail, act)),
    );
  }
}

async function* asJson(trail: Trail, filter: TrailFilter): AsyncGenerator<string> {
  yield '{"acts":[';
  let between = '\n';
  for await (const acts of readActs(trail, filter)) {
    for (const act of acts) {
      yield `${between}${JSON.stringify({ ...rowOf(trail, act), details: detailsOf(act) })}`;
      between = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Somebody of these by name or address; anybody else as the trail names him. */
function actorAsked(people: Trail['people'], by: string): string | undefined {
  if (by === '') return undefined;
  const wanted = by.toLowerCase();
  const known = people.find(({ name, email }) =>
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

function searchForm({ language }: SignedInVisit, trail: Trail, asked: Asked): Html {
  const { operator, reports, checkouts } = language.texts;
  const { hints, ...labels } = operator.trail;
  const day = (name: 'from' | 'to') => html`<p class="field">
<label class="label" for="${name}">${reports[name]}</label>
<input id="${name}" name="${name}" type="date" value="${asked[name]}"></p>`;
  const field = (name: 'by' | 'verb' | 'about', hint: string) =>
    textField({
      ...{ name, label: labels[name], hint, value: asked[name] },
      ...{ isRequired: false, maxLength: FIELD_MOST },
    });
  return html`<form method="get" action="${trail.path}" class="filter views" role="search">
${field('by', hints.by)}${field('verb', hints.verb)}${field('about', trail.aboutHint)}
${day('from')}${day('to')}
${button(checkouts.show, 'show')}</form>`;
}

type Names = ReadonlyMap<string, Html | string>;

async function namesOf(
  app: PageApp,
  visit: SignedInVisit,
  acts: readonly Pick<Act, 'actor'>[],
): Promise<Names> {
  const actors = [...new Set(acts.map(({ actor }) => actor))];
  const named = actors.map(async (actor) => [actor, await actorText(app, visit, actor)] as const);
  return new Map(await Promise.all(named));
}

function actItem(
  { language }: SignedInVisit,
  { isOfHouse }: Trail,
  act: Act,
  who: Html | string | undefined,
): Html {
  const { shell, operator, trail } = language.texts;
  const { id, actedAt, verb, subject, environment, merchantId } = act;
  const mode = environment === 'test' ? shell.test : shell.live;
  const { sentFrom, ...details } = detailsOf(act);
  return html`<strong data-act="${id}"><code>${verb}</code></strong> <span>${who}</span>
<span class="hint">${momentTime(actedAt, language.code)}${environment !== undefined && html`, ${mode}`}</span>
${linesOf([
  line(operator.trail.about, html`<code>${foreignText(subject)}</code>`),
  isOfHouse &&
    merchantId !== undefined &&
    line(operator.merchant, html`<code>${merchantId}</code>`),
  sentFrom !== undefined && line(trail.sentFrom, html`<code>${foreignText(`${sentFrom}`)}</code>`),
  ...detailLines(details),
])}`;
}

function detailsOf({ details }: Pick<Act, 'details'>): Readonly<Record<string, unknown>> {
  return Object(JSON.parse(details));
}

/** As the program wrote them, which is English. */
function detailLines(details: Readonly<Record<string, unknown>>): Html[] {
  return Object.entries(details).map(
    ([name, value]) =>
      html`<div><dt lang="en">${foreignText(name)}</dt>
<dd lang="en">${foreignText(String(value || '–'))}</dd></div>`,
  );
}
