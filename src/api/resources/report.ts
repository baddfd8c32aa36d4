import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { DocumentAnswer } from '#api/http/answer-text.ts';
import { timestamp } from '#base/timestamp.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { fields, omittable } from '#money/exact-schema.ts';
import { balancesReport } from '#report/balances-report.ts';
import { csvText } from '#report/csv-text.ts';
import { feesReport } from '#report/fees-report.ts';
import { ledgerReport } from '#report/ledger-report.ts';
import type { Report } from '#report/report.ts';
import { settlementsReport } from '#report/settlements-report.ts';
import { taxesReport } from '#report/taxes-report.ts';
import { faulty, limitField, nextCursor, pageQuery, timeQuery } from './shared-fields.ts';

const ROWS_INITIAL = 1000;
const ROWS_MAX = 5000;

const reportRequest = fields({
  from: omittable(timeQuery),
  to: omittable(timeQuery),
  format: omittable(z.enum(['json', 'csv'])),
  limit: omittable(limitField(ROWS_MAX, ROWS_INITIAL)),
  cursor: pageQuery.cursor,
});

/** Exact routes, one a report: a signed path has no parameters. */
export const REPORT_ENDPOINTS = [
  balancesReport,
  ledgerReport,
  settlementsReport,
  feesReport,
  taxesReport,
].map(reportEndpoint);

function reportEndpoint(report: Report) {
  const cell = z.string().nullable();
  const row = z.object(Object.fromEntries(report.columns.map(({ name }) => [name, cell])));
  const time = z.string().nullable();
  return protectedEndpoint({
    method: 'GET',
    path: `/reports/${report.name}`,
    auth: 'read',
    scope: 'report',
    summary: `${report.summary}; oldest first, as JSON or CSV (then X-Next-Cursor is a header)`,
    request: reportRequest,
    response: z.object({
      report: z.object({ name: z.literal(report.name), from: time, to: time, rows: z.array(row) }),
      nextCursor,
    }),
    async handle(app, { caller }, { from, to, format, limit = ROWS_INITIAL, cursor }) {
      if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
        throw faulty(['from'], 'must not be after to');
      }
      const { merchantId, environment } = caller;
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const asked = { merchantId, environment, from, to, limit, cursor: after };
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
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: `${report.name}.csv`,
    headers: page.nextCursor === null ? {} : { 'x-next-cursor': page.nextCursor },
  });
}
