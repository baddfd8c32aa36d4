import { balancesReport } from './balances-report.ts';
import { feesReport } from './fees-report.ts';
import { ledgerReport } from './ledger-report.ts';
import type { Report } from './report.ts';
import { settlementsReport } from './settlements-report.ts';
import { taxesReport } from './taxes-report.ts';

/** Every report there is. */
export const REPORTS: readonly Report[] = [
  balancesReport,
  ledgerReport,
  settlementsReport,
  feesReport,
  taxesReport,
];
