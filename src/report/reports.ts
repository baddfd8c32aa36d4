import { balancesReport } from './balances-report.ts';
import { conversionsReport } from './conversions-report.ts';
import { feesReport } from './fees-report.ts';
import { gainsReport } from './gains-report.ts';
import { ledgerReport } from './ledger-report.ts';
import type { Report, ValuedReport } from './report.ts';
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
