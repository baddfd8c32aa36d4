// Reports are read from the ledger, which is what is true, by business time. Every statement is one
// index scan over a merchant's entries from where the page begins.
import type { Reader, Statement } from '#db/db.ts';
import { sql } from '#db/db.ts';
import { placeOldestFirst } from '#db/page-cursor.ts';
import type { ReportRequest } from './report.ts';

const beginning = Temporal.Instant.from('1970-01-01T00:00:00Z');
const end = Temporal.Instant.from('9999-12-31T00:00:00Z');

/** Place of a row: its time and up to two numbers, `12x3`. */
type After = { readonly at: Temporal.Instant; readonly entry: bigint; readonly position: number };

function afterOf({ cursor }: ReportRequest): After {
  const { at, id } = placeOldestFirst(cursor);
  const [, entry = '0', position = '0'] = /^(\d{1,18})(?:x(\d{1,4}))?$/.exec(id) ?? [];
  return { at, entry: BigInt(entry), position: Number(position) };
}

/** Entries `e` of the merchant in the period, from the page's first on. */
function entriesInPeriod(request: ReportRequest): Statement {
  const { merchantId, environment, from = beginning, to = end } = request;
  const { at, entry } = afterOf(request);
  // One comparison with the later of the two beginnings, so that the scan of the index starts
  // there.
  const place = isLater(at, from) ? { at, entry } : { at: from, entry: 0n };
  return sql`e.merchant_id = ${merchantId} and e.environment = ${environment}
    and (e.occurred_at, e.id) >= (${place.at}, ${place.entry}) and e.occurred_at < ${to}`;
}

function isLater(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0;
}

export type BalanceRow = {
  readonly code: string;
  readonly assetId: string;
  /** Natural side: the merchant's money is positive. */
  readonly closingUnits: bigint;
  readonly creditedUnits: bigint;
  readonly debitedUnits: bigint;
};

/** From the balances of now back to the period, so that only what is younger is added up. */
export function listPeriodBalances(reader: Reader, request: ReportRequest): Promise<BalanceRow[]> {
  const { merchantId, environment, from = beginning, to = end } = request;
  return reader.query<BalanceRow>(sql`
    with moved as (
      select p.account_id,
        coalesce(sum(p.units) filter (where e.occurred_at >= ${to}::timestamptz), 0) as later,
        coalesce(-sum(p.units) filter (
          where p.units < 0 and e.occurred_at < ${to}::timestamptz), 0) as credited,
        coalesce(sum(p.units) filter (
          where p.units > 0 and e.occurred_at < ${to}::timestamptz), 0) as debited
      from ledger_entry e join ledger_posting p on p.entry_id = e.id
      where e.merchant_id = ${merchantId} and e.environment = ${environment}
        and e.occurred_at >= ${from}::timestamptz
      group by p.account_id)
    select a.code, a.asset_id as "assetId",
      coalesce(later, 0) - a.balance_units as "closingUnits",
      coalesce(credited, 0) as "creditedUnits", coalesce(debited, 0) as "debitedUnits"
    from ledger_balance a left join moved on moved.account_id = a.account_id
    where a.environment = ${environment} and a.owner = ${merchantId}
    order by a.asset_id, a.code`);
}

export type PostingRow = {
  readonly entry: bigint;
  readonly position: number;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly correctsEntry: bigint | null;
  readonly code: string;
  readonly assetId: string;
  /** Debit positive. */
  readonly units: bigint;
};

/** Lines of the merchant's own accounts, or of the accounts of fees, in the merchant's entries. */
export function listPostings(
  reader: Reader,
  request: ReportRequest,
  accounts: 'own' | 'fees',
): Promise<PostingRow[]> {
  const { at, entry, position } = afterOf(request);
  const wanted =
    accounts === 'own'
      ? sql`a.merchant_id = ${request.merchantId}`
      : sql`a.code in ('fees', 'network-fees')`;
  return reader.query<PostingRow>(sql`
    select e.id as entry, p.position, e.occurred_at as "occurredAt", e.kind,
      e.subject_id as "subjectId", e.corrects_entry as "correctsEntry", a.code,
      a.asset_id as "assetId", p.units
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
    where ${entriesInPeriod(request)} and ${wanted}
      and (e.occurred_at, e.id, p.position) > (${at}, ${entry}, ${position})
    order by e.occurred_at, e.id, p.position limit ${request.limit + 1}`);
}

export type SettlementRow = {
  readonly entry: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly customerId: string | null;
  readonly billingCurrency: string | null;
  /** JSON text. */
  readonly meta: string | null;
  /** Trailing zeros as the column has them. */
  readonly total: string | null;
  readonly sourceAssetId: string;
  readonly sourceUnits: bigint;
  readonly settlementAssetId: string;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
};

/**
 * Entries that made arrived or pending money available, and those that took it back (negative): all
 * that moves between custody or pending and available, and nothing else does.
 */
export function listSettlements(reader: Reader, request: ReportRequest): Promise<SettlementRow[]> {
  const { at, entry } = afterOf(request);
  return reader.query<SettlementRow>(sql`
    select e.id as entry, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId",
      c.customer_id as "customerId", c.billing_currency as "billingCurrency",
      c.total::text as total, c.meta, line.*
    from ledger_entry e
    cross join lateral (
      select
        max(a.asset_id) filter (where a.code like 'custody:%' or a.code = 'merchant:pending')
          as "sourceAssetId",
        sum(p.units) filter (where a.code like 'custody:%' or a.code = 'merchant:pending')
          as "sourceUnits",
        max(a.asset_id) filter (where a.code = 'merchant:available') as "settlementAssetId",
        -sum(p.units) filter (where a.code = 'merchant:available') as "netUnits",
        coalesce(-sum(p.units) filter (where a.code = 'fees'), 0) as "feeUnits"
      from ledger_posting p join ledger_account a on a.id = p.account_id where p.entry_id = e.id
    ) line
    left join checkout c on c.id = e.subject_id
    where ${entriesInPeriod(request)}
      and line."sourceUnits" is not null and line."netUnits" is not null
      and (e.occurred_at, e.id) > (${at}, ${entry})
    order by e.occurred_at, e.id limit ${request.limit + 1}`);
}

export type CompletedRow = {
  readonly id: string;
  readonly completedAt: Temporal.Instant;
  readonly customerId: string | null;
  /** JSON text of the request. */
  readonly payload: string;
  /** JSON text. */
  readonly meta: string | null;
};

export function listCompleted(reader: Reader, request: ReportRequest): Promise<CompletedRow[]> {
  const { merchantId, environment, from = beginning, to = end, cursor } = request;
  const after = placeOldestFirst(cursor);
  const { at, id } = isLater(after.at, from) ? after : { at: from, id: '' };
  return reader.query<CompletedRow>(sql`
    select id, completed_at as "completedAt", customer_id as "customerId", payload, meta
    from checkout
    where merchant_id = ${merchantId} and environment = ${environment}
      and (completed_at, id) > (${at}, ${id}) and completed_at < ${to}
    order by completed_at, id limit ${request.limit + 1}`);
}
