// What a report is: named columns of texts, a page at a time, oldest first. Amounts are texts in
// whole coins with every digit; what does not apply is null. `meta` of a checkout is its JSON text.
import type { Environment } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';

const REPORT_NAMES = ['balances', 'ledger', 'settlements', 'fees', 'taxes'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export type ReportOwner = { readonly merchantId: string; readonly environment: Environment };

/** Business time, from included, to not. */
export type ReportRequest = ReportOwner & {
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
  readonly limit: number;
  readonly cursor: PagePlace | undefined;
};

export type ReportRow = Readonly<Record<string, string | null>>;

export type ReportPage = {
  readonly rows: readonly ReportRow[];
  readonly nextCursor: string | null;
};

/** `amount` columns hold numbers that we wrote; `text` columns may hold what others wrote. */
export type ReportColumn = { readonly name: string; readonly kind: 'text' | 'amount' };

export type Report = {
  readonly name: ReportName;
  readonly summary: string;
  readonly columns: readonly ReportColumn[];
  read(reader: Reader, request: ReportRequest): Promise<ReportPage>;
};

/** `columns('time', 'amount*')`: a star marks an amount. */
export function columns(...names: readonly string[]): ReportColumn[] {
  return names.map((name) =>
    name.endsWith('*') ? { name: name.slice(0, -1), kind: 'amount' } : { name, kind: 'text' },
  );
}
