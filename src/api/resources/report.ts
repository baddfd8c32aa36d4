import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { DocumentAnswer } from '#api/http/send-refusal.ts';
import { timestamp } from '#base/instant.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { csvText } from '#report/csv-text.ts';
import { COST_METHODS, type Report, type ReportPage, type ValuedReport } from '#report/report.ts';
import { REPORTS, readValuedPage, VALUED_REPORTS } from '#report/reports.ts';
import {
  BOOK_FORMATS,
  BOOK_MEDIA_TYPES,
  type BookFormat,
  writeBooks,
} from '#report/write-books.ts';
import { faulty, limitField, nextCursor, pageQuery, timeQuery } from './shared-fields.ts';

const ROWS_INITIAL = 1000;
const ROWS_MAX = 5000;

const TABLE_FORMATS = ['json', 'csv'] as const;
const CSV = 'text/csv';

const pageOfPeriod = {
  from: omittable(timeQuery),
  to: omittable(timeQuery),
  limit: omittable(limitField(ROWS_MAX, ROWS_INITIAL)),
  cursor: pageQuery.cursor,
};
const tableRequest = fields({ ...pageOfPeriod, format: omittable(z.enum(TABLE_FORMATS)) });
/** The ledger is also what programs of accounting read. */
const ledgerRequest = fields({
  ...pageOfPeriod,
  format: omittable(z.enum([...TABLE_FORMATS, ...BOOK_FORMATS])),
  asset: omittable(textUpTo(200)),
});

const valuedRequest = fields({
  ...pageOfPeriod,
  format: omittable(z.enum(TABLE_FORMATS)),
  currency: z
    .string()
    .refine(
      (code) => findCurrency(code)?.type === 'FIAT',
      'must be the code of a currency of GET /currencies, such as EUR',
    ),
  method: omittable(z.enum(COST_METHODS)),
});

/** One type for every report: a row has the columns that the operation names. */
const reportPage = z
  .object({
    report: z
      .object({
        name: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        rows: z.array(z.record(z.string(), z.string().nullable())),
      })
      .meta({ id: 'Report' }),
    nextCursor,
  })
  .meta({ id: 'ReportPage' });

/** Exact routes, one a report: a signed path has no parameters. */
export const REPORT_ENDPOINTS = [
  ...REPORTS.map(reportEndpoint),
  ...VALUED_REPORTS.map(valuedEndpoint),
];

function reportEndpoint(report: Report) {
  const books = report.name === 'ledger' ? ', or as programs of accounting read it' : '';
  return protectedEndpoint({
    method: 'GET',
    path: `/reports/${report.name}`,
    operationId: `get${capital(report.name)}Report`,
    auth: 'read',
    scope: 'report',
    summary: `${report.summary}; oldest first, as JSON or CSV${books} (then X-Next-Cursor is a header)`,
    request: report.name === 'ledger' ? ledgerRequest : tableRequest,
    response: reportPage,
    documents: report.name === 'ledger' ? [...new Set([CSV, ...BOOK_MEDIA_TYPES])] : [CSV],
    async handle(app, { caller }, request) {
      const { format } = request;
      const asked = { ...ownerOf(caller), ...pageOf(request) };
      if (isBookFormat(format)) {
        const assetId = 'asset' in request ? request.asset : undefined;
        return bookAnswer(
          await writeBooks(app.reads ?? app.db, { ...asked, format, assetId }, app.clock.now()),
        );
      }
      const page = await report.read(app.reads ?? app.db, asked);
      return format === 'csv' ? csvAnswer(report, page) : jsonAnswer(report, asked, page);
    },
  });
}

function valuedEndpoint(report: ValuedReport) {
  return protectedEndpoint({
    method: 'GET',
    path: `/reports/${report.name}`,
    operationId: `get${capital(report.name)}Report`,
    auth: 'read',
    scope: 'report',
    summary: `${report.summary}; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header)`,
    request: valuedRequest,
    response: reportPage,
    documents: [CSV],
    async handle(app, { caller }, request) {
      const { currency, method = COST_METHODS[0], format } = request;
      const asked = { ...ownerOf(caller), ...pageOf(request), currency, method };
      const page = await readValuedPage(app.reads ?? app.db, report, asked);
      return format === 'csv' ? csvAnswer(report, page) : jsonAnswer(report, asked, page);
    },
  });
}

type Period = Pick<Parameters<Report['read']>[1], 'from' | 'to'>;
type Told = Pick<Report, 'columns'> & { readonly name: string };

function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function ownerOf({ merchantId, environment }: Owner): Owner {
  return { merchantId, environment };
}

/** @throws Refusal of a period that ends before it begins, or a cursor that is not ours. */
function pageOf(request: {
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}) {
  const { from, to, limit = ROWS_INITIAL, cursor } = request;
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
    throw faulty(['from'], 'must not be after to');
  }
  return { from, to, limit, cursor: cursor === undefined ? undefined : decodeCursor(cursor) };
}

function jsonAnswer({ name }: Told, { from, to }: Period, { rows, nextCursor: next }: ReportPage) {
  const shown = (at: Temporal.Instant | undefined) => (at === undefined ? null : timestamp(at));
  return { report: { name, from: shown(from), to: shown(to), rows }, nextCursor: next };
}

function csvAnswer(report: Told, page: ReportPage) {
  return new DocumentAnswer({
    text: csvText(report.columns, page.rows),
    contentType: `${CSV}; charset=utf-8; header=present`,
    fileName: `${report.name}.csv`,
    nextCursor: page.nextCursor,
  });
}

function isBookFormat(format: string | undefined): format is BookFormat {
  return BOOK_FORMATS.some((one) => one === format);
}

function bookAnswer(page: Awaited<ReturnType<typeof writeBooks>>) {
  const { nextCursor, text, contentType, fileName } = page;
  return new DocumentAnswer({ nextCursor, text, contentType, fileName });
}
