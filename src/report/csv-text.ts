// CSV that a spreadsheet opens without doing anything (RFC 4180, and threat of formula injection):
// a text that a program could take for a formula is prefixed with an apostrophe. Amounts are
// numbers of ours and stay as they are, a minus included.
import { assert } from '#base/assert.ts';
import type { ReportColumn, ReportRow } from './report.ts';

/** Full-width signs count too, because East Asian spreadsheets read them like the plain ones. */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/;
/**
 * Spreadsheets of some countries split a line at semicolons or tabs, and ignore our quotes while
 * doing so. So every place where such a cell could begin is made harmless.
 */
const laterStart = /(?<=[;\t\r\n])(?="*[=+\-@＝＋－＠])/g;
const needsQuotes = /[",;\t\r\n]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Lines end with CR LF; the first one names the columns. */
export function csvText(columns: readonly ReportColumn[], rows: readonly ReportRow[]): string {
  return csvHead(columns) + csvRows(columns, rows);
}

export function csvHead(columns: readonly ReportColumn[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

export function csvRows(columns: readonly ReportColumn[], rows: readonly ReportRow[]): string {
  return rows
    .map((row) => columns.map((column) => cellText(column, row[column.name])))
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
}

function cellText({ name, kind }: ReportColumn, value: string | null | undefined): string {
  assert(value !== undefined, `a row of the report has no ${name}`);
  if (value === null) return '';
  if (kind === 'amount') {
    assert(plainNumber.test(value), `not an amount: ${name}`);
    return value;
  }
  const inner = value.replaceAll(laterStart, "'");
  const harmless = formulaStart.test(value) ? `'${inner}` : inner;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
