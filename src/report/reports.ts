import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql } from '#db/db.ts';
import { cutPage, decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { balancesReport } from './balances-report.ts';
import { conversionsReport } from './conversions-report.ts';
import { csvHead, csvRows } from './csv-text.ts';
import { type FeesOfDay, feesReport, listFeeDays } from './fees-report.ts';
import { type GainsOfMonth, gainsReport, sumGains } from './gains-report.ts';
import { ledgerReport } from './ledger-report.ts';
import {
  entriesInPeriod,
  type PlacedRow,
  type Report,
  type ReportPage,
  type ReportRequest,
  type ReportRow,
  type ValuedReport,
  type ValuedRequest,
} from './report.ts';
import { settlementsReport } from './settlements-report.ts';
import { taxesReport } from './taxes-report.ts';

/** Every report of the ledger as it stands. */
export const REPORTS: readonly Report[] = [
  balancesReport,
  ledgerReport,
  settlementsReport,
  feesReport,
  taxesReport,
];

/** Every report that is told in one currency. */
export const VALUED_REPORTS: readonly ValuedReport[] = [conversionsReport, gainsReport];

export async function readValuedPage(
  reader: Reader,
  report: ValuedReport,
  request: ValuedRequest & { readonly limit: number },
): Promise<ReportPage> {
  const found: PlacedRow[] = [];
  for await (const placed of report.rows(reader, request)) {
    found.push(placed);
    if (found.length > request.limit) break;
  }
  const { shown, nextCursor } = cutPage(found, request.limit, ({ place }) => place);
  return { rows: shown.map(({ row }) => row), nextCursor };
}

const ROWS_AT_ONCE = 1_000;

/** A period of a merchant's; `undefined`: from the beginning, to the end. */
type Asked = Owner & Pick<ReportRequest, 'from' | 'to'>;
type Rows = readonly ReportRow[];

/** All of it, some rows at a time: a year of business needs no more memory than a day. */
export async function* tablePages(
  reader: Reader,
  report: Report,
  asked: Asked,
): AsyncGenerator<Rows> {
  let cursor: PagePlace | undefined;
  do {
    const page = await report.read(reader, { ...asked, limit: ROWS_AT_ONCE, cursor });
    yield page.rows;
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

/** The same of a report in one currency, which is walked once. */
export async function* valuedPages(
  reader: Reader,
  report: ValuedReport,
  asked: Asked & Pick<ValuedRequest, 'currency' | 'method'>,
): AsyncGenerator<Rows> {
  let rows: ReportRow[] = [];
  for await (const { row } of report.rows(reader, { ...asked, cursor: undefined })) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

export async function* csvTexts(
  { columns }: Pick<Report, 'columns'>,
  pages: AsyncIterable<Rows>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const rows of pages) yield csvRows(columns, rows);
}

/** One object, a row a line. */
export async function* jsonTexts(head: object, pages: AsyncIterable<Rows>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let before = '\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield '\n]}\n';
}

/** What is drawn while somebody waits: of a larger shop there are the files. */
const DRAWN_MOST = 20_000;

/** Undefined where there are more entries than are summed while somebody waits. */
export async function readFeeDays(
  reader: Reader,
  asked: Asked,
): Promise<readonly FeesOfDay[] | undefined> {
  return (await isDrawn(reader, asked)) ? listFeeDays(reader, asked) : undefined;
}

/** The same; cost is known only from the beginning, so all entries before count too. */
export async function readGainMonths(
  reader: Reader,
  asked: Asked & Pick<ValuedRequest, 'currency' | 'method'>,
): Promise<readonly GainsOfMonth[] | undefined> {
  const all = { ...asked, from: undefined };
  return (await isDrawn(reader, all)) ? sumGains(reader, asked) : undefined;
}

async function isDrawn(reader: Reader, asked: Asked): Promise<boolean> {
  const request = { ...asked, cursor: undefined, limit: DRAWN_MOST };
  const [row] = await reader.query<{ count: bigint }>(sql`
    select count(*) from (
      select 1 from ledger_entry e where ${entriesInPeriod(request)}
      limit ${DRAWN_MOST + 1}) counted`);
  return Number(row?.count ?? 0) <= DRAWN_MOST;
}
