// A report of a shop as a file: a table of any of them, or the ledger for a program of accounting.
// A file is written while it is read, so that a year of business needs no more memory than a day; a
// batch for DATEV, which is one piece, is bounded. What holds nothing is refused before it begins.

import type { Context } from 'hono';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { listCurrencies } from '#catalog/currency.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendDownload, sendStream } from '#pages/send-page.ts';
import { zipFile } from '#pages/zip-file.ts';
import { COST_METHODS } from '#report/report.ts';
import {
  csvTexts,
  jsonTexts,
  REPORTS,
  tablePages,
  VALUED_REPORTS,
  valuedPages,
} from '#report/reports.ts';
import {
  BOOK_FORMATS,
  type BookFormat,
  bookPages,
  isBankMoney,
  JOURNAL_FORMATS,
} from '#report/write-books.ts';
import { readDatevSettings, writeDatev } from '#report/write-datev.ts';
import type { ShopVisit } from './guard.ts';
import { instantsOf, type ReportPeriod, readDays } from './report-period.ts';
import type { Place } from './shell.ts';

export const TABLE_FORMATS = ['csv', 'json'] as const;
export const JOURNALS = ['beancount', 'hledger'] as const satisfies readonly BookFormat[];
export const STATEMENTS = [
  'xero',
  'quickbooks',
  'camt053',
] as const satisfies readonly BookFormat[];
export type ReportFormat = (typeof TABLE_FORMATS)[number] | BookFormat | 'datev';
const FORMATS: readonly ReportFormat[] = [...TABLE_FORMATS, ...BOOK_FORMATS, 'datev'];
/** One batch is in memory at once. */
const DATEV_ENTRIES_MOST = 20_000;
/** Accounts of a batch that an adviser may have others for. */
export const DATEV_ACCOUNTS = [
  'available',
  'pending',
  'reserved',
  'owed',
  'fees',
  'clearing',
] as const;
/** In which reports are told: money of states. */
export const REPORT_CURRENCIES = listCurrencies()
  .filter(({ type }) => type === 'FIAT')
  .map(({ assetCode }) => assetCode);

type Asked = {
  readonly place: Place;
  readonly name: string;
  readonly format: ReportFormat;
  readonly days: ReportPeriod;
  /** Of a parameter; empty where it was not given. */
  given(name: string): string;
};

/** @throws Refusal of what is asked for wrongly, or where nothing is in the period. */
export async function sendReportFile(
  app: PageApp,
  context: Context,
  { place }: ShopVisit,
): Promise<Response> {
  const given = (name: string) => context.req.query(name) ?? '';
  const days = readDays(given('from'), given('to'));
  if (days === undefined) {
    throw new Refusal('invalid', 'period', 'from and to: days, the first not after the last');
  }
  const known = [...REPORTS, ...VALUED_REPORTS].find(({ name }) => name === given('report'));
  const { name = 'ledger' } = known ?? {};
  const format = FORMATS.find((one) => one === given('format')) ?? 'csv';
  const asked = { place, name, format, days, given };
  if (format === 'csv' || format === 'json') return sendTable(app, asked, format);
  if (name !== 'ledger') {
    throw new Refusal('invalid', 'books_are_ledger', 'only the ledger is written like that');
  }
  if (format === 'datev') return sendDatev(app, asked);
  if (JOURNAL_FORMATS.includes(format)) return sendJournal(app, asked, format);
  return sendStatements(app, asked, format);
}

/** Of one page of a report to the next one, whose and of when. */
function periodOf({ place, days }: Asked) {
  const { merchantId, environment } = place;
  return { merchantId, environment, ...instantsOf(days) };
}

/** Test money says so in the name of its file, so that nobody books it. */
function fileName({ place, days }: Asked, name: string, ending: string): string {
  const test = place.environment === 'test' ? 'test-' : '';
  return `${test}${name}-${days.from}-${days.to}.${ending}`;
}

async function sendTable(app: PageApp, asked: Asked, format: 'csv' | 'json'): Promise<Response> {
  const { name, given } = asked;
  const currency = REPORT_CURRENCIES.find((code) => code === given('currency')) ?? 'EUR';
  const method = COST_METHODS.find((one) => one === given('method')) ?? COST_METHODS[0];
  const period = periodOf(asked);
  const told = [...REPORTS, ...VALUED_REPORTS].find((one) => one.name === name);
  if (told === undefined) throw nothingThere();
  const valuation = 'rows' in told ? { currency, method } : undefined;
  const all =
    'rows' in told
      ? valuedPages(app.reads ?? app.db, told, { ...period, currency, method })
      : tablePages(app.reads ?? app.db, told, period);
  const pages = await begun(all, ({ length }) => length > 0);
  const file = fileName(asked, name, format);
  if (format === 'csv') {
    return sendStream(csvTexts(told, pages), 'text/csv; charset=utf-8; header=present', file);
  }
  const [from, to] = [String(period.from), String(period.to)];
  const head = { report: name, from, to, ...valuation };
  return sendStream(jsonTexts(head, pages), 'application/json; charset=utf-8', file);
}

async function sendJournal(app: PageApp, asked: Asked, format: BookFormat): Promise<Response> {
  const books = { ...periodOf(asked), format, assetId: undefined };
  const pages = await begun(
    bookPages(app.reads ?? app.db, books, app.clock),
    ({ count }) => count > 0,
  );
  const ending = format === 'hledger' ? 'journal' : 'beancount';
  return sendStream(textsOf(pages), 'text/plain; charset=utf-8', fileName(asked, 'ledger', ending));
}

/** A program takes so many lines at once: what is longer is several files in one. */
async function sendStatements(app: PageApp, asked: Asked, format: BookFormat): Promise<Response> {
  const assetId = asked.given('asset');
  const books = { ...periodOf(asked), format, assetId: assetId === '' ? undefined : assetId };
  const pages = bookPages(app.reads ?? app.db, books, app.clock);
  const { value: first, done } = await pages.next();
  if (done === true || first.count === 0) throw nothingThere();
  const name = `${format}-${getAsset(assetId).assetCode}`;
  const ending = format === 'camt053' ? 'xml' : 'csv';
  if (first.nextCursor === null) {
    const { text, contentType } = first;
    return sendDownload(Buffer.from(text), contentType, fileName(asked, name, ending));
  }
  const parts = numbered(joined([first], pages), (number) =>
    fileName(asked, name, `${number}.${ending}`),
  );
  const zipped = zipFile(parts, app.clock.now());
  return sendStream(zipped, 'application/zip', fileName(asked, name, 'zip'));
}

/** Windows-1252, of which Latin-1 has every letter that is written. */
async function sendDatev(app: PageApp, asked: Asked): Promise<Response> {
  const { given, place, days } = asked;
  const own = DATEV_ACCOUNTS.flatMap((name) => {
    const number = given(name).trim();
    return number === '' ? [] : [`${name}=${number}`];
  });
  const settings = readDatevSettings({
    consultant: given('consultant').trim(),
    client: given('client').trim(),
    chart: given('chart'),
    fiscalYear: given('fiscalYear'),
    accounts: own.join(','),
  });
  const assetId = given('asset');
  const period = { ...periodOf(asked), assetId, limit: DATEV_ENTRIES_MOST };
  const text = await writeDatev(app.db, period, settings, app.clock.now());
  // The two lines of the head stand in every batch.
  const [, , first = ''] = text.split('\r\n', 3);
  if (first === '') throw nothingThere();
  const test = place.environment === 'test' ? 'test_' : '';
  const { assetCode } = getAsset(assetId);
  // DATEV looks for this beginning.
  const name = `EXTF_${test}${assetCode}_${days.from}_${days.to}.csv`;
  return sendDownload(Buffer.from(text, 'latin1'), 'text/csv; charset=windows-1252', name);
}

/** Money of banks with two digits after the point, as DATEV books it. */
export function isDatevMoney(assetId: string): boolean {
  return isBankMoney(assetId) && getAsset(assetId).decimals <= 2;
}

function nothingThere(): Refusal {
  return new Refusal('missing', 'report_empty', 'nothing is in the period');
}

/** From its beginning on, as soon as something is there. @throws Refusal where there is nothing. */
async function begun<Page>(
  pages: AsyncGenerator<Page>,
  hasSome: (page: Page) => boolean,
): Promise<AsyncGenerator<Page>> {
  const read: Page[] = [];
  for (;;) {
    const { value, done } = await pages.next();
    if (done === true) throw nothingThere();
    read.push(value);
    if (hasSome(value)) return joined(read, pages);
  }
}

async function* joined<Page>(
  read: readonly Page[],
  rest: AsyncGenerator<Page>,
): AsyncGenerator<Page> {
  yield* read;
  yield* rest;
}

async function* textsOf(pages: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of pages) yield text;
}

async function* numbered(
  pages: AsyncIterable<{ readonly text: string }>,
  nameOf: (number: number) => string,
) {
  let number = 0;
  for await (const { text } of pages) {
    number += 1;
    yield { name: nameOf(number), text };
  }
}
