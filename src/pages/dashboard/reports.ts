// Reports of a shop as files: a table of any of them, or the ledger for a program of accounting. A
// file is written while it is read, so that a year of business needs no more memory than a day.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { listCurrencies } from '#catalog/currency.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendStream } from '#pages/send-page.ts';
import { csvHead, csvRows } from '#report/csv-text.ts';
import { COST_METHODS, type ReportRow } from '#report/report.ts';
import { REPORTS, VALUED_REPORTS } from '#report/reports.ts';
import { writeBooks } from '#report/write-books.ts';
import { button, faultNote, selectField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';

const PATH = '/shop/:merchantId/:environment/reports';
const ROWS_AT_ONCE = 1_000;
const FORMATS = ['csv', 'beancount', 'hledger'] as const;
type Format = (typeof FORMATS)[number];

type Asked = {
  readonly name: string;
  readonly from: Temporal.PlainDate;
  /** Included. */
  readonly to: Temporal.PlainDate;
  readonly format: Format;
  readonly currency: string;
  readonly method: (typeof COST_METHODS)[number];
};

export function reportsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'report', (visit) => sendReports(app, context, visit)),
  );
  routes.get(`${PATH}/file`, (context) =>
    withShop(app, context, 'report', async (visit) => {
      try {
        return sendFile(app, visit, readAsked(context));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return sendReports(app, context, visit, error);
      }
    }),
  );
  return routes;
}

/** @throws Refusal invalid */
function readAsked(context: Context): Asked {
  const given = (name: string) => context.req.query(name) ?? '';
  const known = [...REPORTS, ...VALUED_REPORTS].find(({ name }) => name === given('report'));
  const [from, to] = [readDay(given('from')), readDay(given('to'))];
  if (from === undefined || to === undefined || Temporal.PlainDate.compare(from, to) > 0) {
    throw new Refusal('invalid', 'period', 'from and to: days, the first not after the last');
  }
  const format = FORMATS.find((one) => one === given('format')) ?? 'csv';
  const { name = 'ledger' } = known ?? {};
  if (format !== 'csv' && name !== 'ledger') {
    throw new Refusal('invalid', 'books_are_ledger', 'only the ledger is written like that');
  }
  const currency = CURRENCIES.find((code) => code === given('currency')) ?? 'EUR';
  const method = COST_METHODS.find((one) => one === given('method')) ?? COST_METHODS[0];
  return { name, from, to, format, currency, method };
}

/** Undefined for what is no day. */
export function readDay(text: string): Temporal.PlainDate | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    // No day of the calendar, such as February 30.
    return undefined;
  }
}

const CURRENCIES = listCurrencies()
  .filter(({ type }) => type === 'FIAT')
  .map(({ assetCode }) => assetCode);

function sendFile(app: PageApp, { place }: ShopVisit, asked: Asked): Response {
  const { name, format, from, to } = asked;
  const days = `${from}-${to}`;
  const { merchantId, environment } = place;
  const period = {
    merchantId,
    environment,
    from: startOf(from),
    to: startOf(to.add({ days: 1 })),
  };
  if (format !== 'csv') {
    const file = `ledger-${days}.${format === 'hledger' ? 'journal' : 'beancount'}`;
    return sendStream(readBooks(app, { ...period, format }), 'text/plain; charset=utf-8', file);
  }
  const text = readTable(app, asked, period);
  return sendStream(text, 'text/csv; charset=utf-8; header=present', `${name}-${days}.csv`);
}

/** In UTC. */
export function startOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime('UTC').toInstant();
}

type Period = Pick<Parameters<typeof writeBooks>[1], 'merchantId' | 'environment' | 'from' | 'to'>;

async function* readBooks(
  { db, clock }: PageApp,
  asked: Period & { readonly format: 'beancount' | 'hledger' },
): AsyncGenerator<string> {
  let cursor: PagePlace | undefined;
  do {
    const page = { ...asked, limit: ROWS_AT_ONCE, cursor, assetId: undefined };
    const { text, nextCursor } = await writeBooks(db, page, clock.now());
    yield `${text}\n`;
    cursor = nextCursor === null ? undefined : decodeCursor(nextCursor);
  } while (cursor !== undefined);
}

async function* readTable(
  { db }: PageApp,
  { name, currency, method }: Asked,
  period: Period,
): AsyncGenerator<string> {
  const report = REPORTS.find((one) => one.name === name);
  if (report === undefined) {
    const valued = VALUED_REPORTS.find((one) => one.name === name);
    if (valued === undefined) return;
    yield csvHead(valued.columns);
    let some: ReportRow[] = [];
    const asked = { ...period, currency, method, cursor: undefined };
    for await (const { row } of valued.rows(db, asked)) {
      some.push(row);
      if (some.length < ROWS_AT_ONCE) continue;
      yield csvRows(valued.columns, some);
      some = [];
    }
    yield csvRows(valued.columns, some);
    return;
  }
  yield csvHead(report.columns);
  let cursor: PagePlace | undefined;
  do {
    const page = await report.read(db, { ...period, limit: ROWS_AT_ONCE, cursor });
    yield csvRows(report.columns, page.rows);
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

/** Last month, unless something else was asked for. */
function sendReports(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  refusal?: Refusal,
): Response {
  const { place, language } = visit;
  const { reports } = language.texts;
  const today = app.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  const thisMonth = today.with({ day: 1 });
  const value = (name: string, initial: string) => context.req.query(name) ?? initial;
  const day = (name: 'from' | 'to', initial: Temporal.PlainDate) => html`<p class="field">
<label class="label" for="${name}">${reports[name]}</label>
<input id="${name}" name="${name}" type="date" value="${value(name, `${initial}`)}" required></p>`;
  const names = [...REPORTS, ...VALUED_REPORTS].map(({ name }) => name);
  const body = html`${faultNote(refusal && refusalText(language.texts, refusal))}
<section class="card"><p class="hint">${reports.hint}</p>
<form method="get" action="${roomPath(place, '/reports/file')}" class="stack">
${selectField({
  name: 'report',
  label: reports.report,
  value: value('report', 'taxes'),
  options: names.map((name) => [name, reports.names[name]]),
})}
${day('from', thisMonth.subtract({ months: 1 }))}${day('to', thisMonth.subtract({ days: 1 }))}
${selectField({
  name: 'format',
  label: reports.format,
  value: value('format', 'csv'),
  options: FORMATS.map((format) => [format, reports.formats[format]]),
})}
${selectField({
  name: 'currency',
  label: reports.currency,
  value: value('currency', 'EUR'),
  options: CURRENCIES.map((code) => [code, code]),
})}
${selectField({
  name: 'method',
  label: reports.method,
  value: value('method', 'fifo'),
  options: COST_METHODS.map((method) => [method, reports.methods[method]]),
})}
${button(reports.download, 'download')}</form></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = reports.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'reports' }));
}
