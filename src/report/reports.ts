import type { Reader } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { balancesReport } from './balances-report.ts';
import { conversionsReport } from './conversions-report.ts';
import { feesReport } from './fees-report.ts';
import { gainsReport } from './gains-report.ts';
import { ledgerReport } from './ledger-report.ts';
import type { PlacedRow, Report, ReportPage, ValuedReport, ValuedRequest } from './report.ts';
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
