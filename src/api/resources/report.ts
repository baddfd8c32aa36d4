import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { DocumentAnswer } from '#api/http/answer-text.ts';
import { timestamp } from '#base/instant.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { csvText } from '#report/csv-text.ts';
import type { Report } from '#report/report.ts';
import { REPORTS } from '#report/reports.ts';
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

/** Exact routes, one a report: a signed path has no parameters. */
export const REPORT_ENDPOINTS = REPORTS.map(reportEndpoint);

function reportEndpoint(report: Report) {
  const cell = z.string().nullable();
  const row = z.object(Object.fromEntries(report.columns.map(({ name }) => [name, cell])));
  const time = z.string().nullable();
  const books = report.name === 'ledger' ? ', or as programs of accounting read it' : '';
  return protectedEndpoint({
    method: 'GET',
    path: `/reports/${report.name}`,
    auth: 'read',
    scope: 'report',
    summary: `${report.summary}; oldest first, as JSON or CSV${books} (then X-Next-Cursor is a header)`,
    request: report.name === 'ledger' ? ledgerRequest : tableRequest,
    response: z.object({
      report: z.object({ name: z.literal(report.name), from: time, to: time, rows: z.array(row) }),
      nextCursor,
    }),
    documents: report.name === 'ledger' ? [...new Set([CSV, ...BOOK_MEDIA_TYPES])] : [CSV],
    async handle(app, { caller }, request) {
      const { from, to, format, limit = ROWS_INITIAL, cursor } = request;
      if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
        throw faulty(['from'], 'must not be after to');
      }
      const { merchantId, environment } = caller;
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const asked = { merchantId, environment, from, to, limit, cursor: after };
      if (isBookFormat(format)) {
        const assetId = 'asset' in request ? request.asset : undefined;
        return bookAnswer(await writeBooks(app.db, { ...asked, format, assetId }, app.clock.now()));
      }
      const page = await report.read(app.db, asked);
      if (format === 'csv') return csvAnswer(report, page);
      const shown = (at: Temporal.Instant | undefined) => (at === undefined ? null : timestamp(at));
      return {
        report: { name: report.name, from: shown(from), to: shown(to), rows: page.rows },
        nextCursor: page.nextCursor,
      };
    },
  });
}

function csvAnswer(report: Report, page: Awaited<ReturnType<Report['read']>>) {
  return new DocumentAnswer({
    text: csvText(report.columns, page.rows),
    contentType: `${CSV}; charset=utf-8; header=present`,
    fileName: `${report.name}.csv`,
    headers: page.nextCursor === null ? {} : { 'x-next-cursor': page.nextCursor },
  });
}

function isBookFormat(format: string | undefined): format is BookFormat {
  return BOOK_FORMATS.some((one) => one === format);
}

function bookAnswer({ nextCursor: next, ...document }: Awaited<ReturnType<typeof writeBooks>>) {
  return new DocumentAnswer({
    ...document,
    headers: next === null ? {} : { 'x-next-cursor': next },
  });
}
