// What happened on the available balance of one asset, as a bank tells of an account.
// Guarantees: the opening balance and the lines are together the closing balance; pages in their
// order join without a gap, also where two lines are of one instant.

import { type Reader, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { listPostings, placeOfPosting } from './ledger-report.ts';
import { END, lastOccurred, type ReportRequest } from './report.ts';

type StatementLine = {
  readonly entry: bigint;
  readonly position: number;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  /** More of the merchant's money is positive. */
  readonly units: bigint;
};

export type AccountStatement = {
  /** Whose it is: letters, digits and hyphens. */
  readonly account: string;
  readonly assetId: string;
  readonly openingUnits: bigint;
  readonly closingUnits: bigint;
  readonly lines: readonly StatementLine[];
  readonly writtenAt: Temporal.Instant;
};

export async function readAccountStatement(
  reader: Reader,
  request: ReportRequest,
  assetId: string,
  now: Temporal.Instant,
): Promise<{ readonly statement: AccountStatement; readonly nextCursor: string | null }> {
  const found = await listPostings(reader, request, assetId);
  const { shown, nextCursor } = cutPage(found, request.limit, placeOfPosting);
  const lines = shown.map((row) => ({ ...row, units: -row.units }));
  const closingUnits = await balanceAfter(reader, request, assetId, lines.at(-1));
  const openingUnits = lines.reduce((left, { units }) => left - units, closingUnits);
  const { merchantId } = request;
  const statement = {
    account: merchantId,
    assetId,
    openingUnits,
    closingUnits,
    lines,
    writtenAt: now,
  };
  return { statement, nextCursor };
}

/**
 * After a line; where there is none, at the end of the period. From the balance of now back, entry
 * by entry: the offset keeps it from becoming a join that reads all postings.
 */
async function balanceAfter(
  reader: Reader,
  request: ReportRequest,
  assetId: string,
  last: StatementLine | undefined,
): Promise<bigint> {
  const { merchantId, environment, to = END } = request;
  const [at, entry, position] = last ? [last.occurredAt, last.entry, last.position] : [to, 0n, 0];
  const [row] = await reader.query<{ units: bigint }>(sql`
    select coalesce(later.units, 0) - a.balance_units as units
    from ledger_balance a left join lateral (
      select sum(p.units) as units
      from ledger_entry e
        cross join lateral (
          select position, units from ledger_posting
          where entry_id = e.id and account_id = a.account_id offset 0) p
      where e.merchant_id = ${merchantId} and e.environment = ${environment}
        and e.occurred_at >= ${at} and e.occurred_at <= (${lastOccurred(request)})
        and (e.occurred_at, e.id, p.position) > (${at}, ${entry}, ${position})) later on true
    where a.environment = ${environment} and a.owner = ${merchantId}
      and a.code = 'merchant:available' and a.asset_id = ${assetId}`);
  return row?.units ?? 0n;
}
