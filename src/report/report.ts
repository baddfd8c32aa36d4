// What a report is: named columns of texts, a page at a time, oldest first. Amounts are texts in
// whole coins with every digit; what does not apply is null. `meta` of a checkout is its JSON text.
import { assert } from '#base/assert.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { type PagePlace, placeOldestFirst } from '#db/page-cursor.ts';
import { fragment } from '#db/statement.ts';

type ReportName = 'balances' | 'ledger' | 'settlements' | 'fees' | 'taxes';

/** Business time, from included, to not. */
export type ReportRequest = Owner & {
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

/** Which units of an asset go first: the oldest, or the same part of all. */
export const COST_METHODS = ['fifo', 'average'] as const;
export type CostMethod = (typeof COST_METHODS)[number];

export type Valuation = {
  /** Code of a currency of a state. */
  readonly currency: string;
  readonly method: CostMethod;
};

export type ValuedRequest = Omit<ReportRequest, 'limit'> & Valuation;

/** A row of a report that is told of holdings, and where it stands. */
export type PlacedRow = { readonly row: ReportRow; readonly place: PagePlace };

/**
 * A report in one currency. What an asset cost is known only from its beginning, so the rows of the
 * period are found by going through all that came before, in the memory of a page.
 */
export type ValuedReport = Pick<Report, 'summary' | 'columns'> & {
  readonly name: 'conversions' | 'gains';
  rows(reader: Reader, request: ValuedRequest): AsyncIterable<PlacedRow>;
};

/** `columns('time', 'amount*')`: a star marks an amount. */
export function columns(...names: readonly string[]): ReportColumn[] {
  return names.map((name) =>
    name.endsWith('*') ? { name: name.slice(0, -1), kind: 'amount' } : { name, kind: 'text' },
  );
}

// Reports are read from the ledger, which is what is true, by business time. Every statement is one
// index scan over a merchant's entries from where the page begins.
export const BEGINNING = Temporal.Instant.from('1970-01-01T00:00:00Z');
export const END = Temporal.Instant.from('9999-12-31T00:00:00Z');

/** Place of a row: its time and up to two numbers, `12x3`. */
type After = { readonly at: Temporal.Instant; readonly entry: bigint; readonly position: number };

export function afterOf({ cursor }: Pick<ReportRequest, 'cursor'>): After {
  const { at, id } = placeOldestFirst(cursor);
  const [, entry = '0', position = '0'] = /^(\d{1,18})(?:x(\d{1,4}))?$/.exec(id) ?? [];
  return { at, entry: BigInt(entry), position: Number(position) };
}

/** Entries `e` of the merchant in the period, from the page's first on. */
export function entriesInPeriod(request: ReportRequest): Statement {
  const { merchantId, environment, from = BEGINNING, to = END } = request;
  const { at, entry } = afterOf(request);
  // One comparison, with the later of the two beginnings: the scan of the index starts there.
  const place = isLater(at, from) ? { at, entry } : { at: from, entry: 0n };
  return sql`e.merchant_id = ${merchantId} and e.environment = ${environment}
    and (e.occurred_at, e.id) >= (${place.at}, ${place.entry}) and e.occurred_at < ${to}`;
}

/** Few, for each is a statement of its own. */
const SIZES = [1_001, 5_001, 20_001, 1_000_001];

/**
 * A limit for the text of a statement that shows at most so many rows: as large, or larger.
 * PostgreSQL takes a limit that is a value for a tenth of all rows, and prepares to read those.
 */
export function roomFor(rows: number): Statement {
  const size = SIZES.find((one) => rows <= one);
  assert(size !== undefined, `a page of a report has no more than a million rows, not ${rows}`);
  return fragment(String(size));
}

export function isLater(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0;
}
