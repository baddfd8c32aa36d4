// What happened on the available balance of one asset, as a bank tells of an account.
// Guarantees: the opening balance and the lines are together the closing balance; pages in their
// order join without a gap, also where two lines are of one instant.

import { type Reader, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { movesSince } from '#ledger/ledger-day.ts';
import { listPostings, placeOfPosting } from './ledger-report.ts';
import { END, type ReportRequest } from './report.ts';

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
 * After a line; where there is none, at the end of the period. From the balance of now back, by
 * days, and posting by posting in the day of the line.
 */
async function balanceAfter(
  reader: Reader,
  request: ReportRequest,
  assetId: string,
  last: StatementLine | undefined,
): Promise<bigint> {
  const { merchantId, environment, to = END } = request;
  // A whole day counts as before the first entry of its first moment.
  const [from, entry, position] = last
    ? [last.occurredAt, last.entry, last.position]
    : [to, -1n, 0];
  // A line at midnight is one of its day too: what comes after it there is not the whole day.
  const cut = last ? from.add({ microseconds: 1 }) : from;
  const isAccount = sql`environment = ${environment} and owner = ${merchantId}
    and code = 'merchant:available' and asset_id = ${assetId}`;
  const accounts = sql`select id from ledger_account where ${isAccount}`;
  const [row] = await reader.query<{ units: bigint }>(sql`
    select coalesce(
      (select sum(debited - credited)
        from (${movesSince(request, { from, cut, accounts })}) move
        where (at, entry_id, position) > (${from}, ${entry}, ${position})), 0)
      - balance_units as units
    from ledger_balance where ${isAccount}`);
  return row?.units ?? 0n;
}
