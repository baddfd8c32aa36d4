import { z } from 'zod';
import { documentAnswer } from '#api/document-answer.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { nextCursor, pageQuery } from '#api/page-query.ts';
import { timeQuery } from '#api/time-query.ts';
import { Refusal } from '#base/refusal.ts';
import { timestamp } from '#base/timestamp.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { fields, optional } from '#money/exact-schema.ts';
import { balancesReport } from '#report/balances-report.ts';
import { csvText } from '#report/csv-text.ts';
import { feesReport } from '#report/fees-report.ts';
import { ledgerReport } from '#report/ledger-report.ts';
import type { Report } from '#report/report.ts';
import { settlementsReport } from '#report/settlements-report.ts';
import { taxesReport } from '#report/taxes-report.ts';

const rowsInitial = 1000;
const rowsMax = 5000;

const requestSchema = fields({
  from: optional(timeQuery),
  to: optional(timeQuery),
  format: optional(z.enum(['json', 'csv'])),
  limit: optional(
    z
      .string()
      .refine(
        (value) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= rowsMax,
        `must be a whole number from 1 to ${rowsMax}`,
      )
      .meta({
        pattern: '^[1-9][0-9]{0,3}$',
        description: `1 to ${rowsMax}, ${rowsInitial} unless given`,
      })
      .transform(Number),
  ),
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
    request: requestSchema,
    response: z.object({
      report: z.object({ name: z.literal(report.name), from: time, to: time, rows: z.array(row) }),
      nextCursor,
    }),
    async handle(app, { caller }, { from, to, format, limit = rowsInitial, cursor }) {
      if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
        throw new Refusal('invalid', 'validation_failed', 'from: must not be after to');
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
  return documentAnswer({
    text: csvText(report.columns, page.rows),
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: `${report.name}.csv`,
    headers: page.nextCursor === null ? {} : { 'x-next-cursor': page.nextCursor },
  });
}
