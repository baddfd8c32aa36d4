// The entries of a merchant as the merchant would book them: what the house owes is what the
// merchant owns, so every posting with the other sign. Guarantees: each entry balances in every
// asset, as in the ledger; opening balances, entries and closing balances tie to the unit.

import { type Reader, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { listPeriodBalances } from './balances-report.ts';
import { afterOf, entriesInPeriod, type ReportRequest, roomFor } from './report.ts';

export type JournalLine = {
  /** Code of the account in the ledger. */
  readonly code: string;
  readonly assetId: string;
  /** More of the merchant's money is positive. */
  readonly units: bigint;
};

export type JournalEntry = {
  readonly id: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly lines: readonly JournalLine[];
};

type Balances = { readonly at: Temporal.Instant; readonly lines: readonly JournalLine[] };

export type Journal = {
  /** What there was before the period; undefined on later pages and without a beginning. */
  readonly opening: Balances | undefined;
  readonly entries: readonly JournalEntry[];
  /** What there is at its end; undefined before the last page. */
  readonly closing: Balances | undefined;
};

type JournalPage = { readonly journal: Journal; readonly nextCursor: string | null };

/** `limit` entries, never a part of one. `now`: the day of the end where the period has none. */
export async function readJournal(
  reader: Reader,
  asked: ReportRequest,
  now: Temporal.Instant,
): Promise<JournalPage> {
  const { from, to, cursor } = asked;
  const found = await listEntries(reader, asked);
  const { shown, nextCursor } = cutPage(found, asked.limit, ({ occurredAt, id }) => ({
    at: occurredAt,
    id: String(id),
  }));
  // What is booked meanwhile is in none of the two: balances are those after the last entry shown.
  const end = shown.at(-1)?.occurredAt.add({ microseconds: 1 }) ?? to;
  const [opening, closing] = await Promise.all([
    cursor === undefined && from !== undefined ? balancesAt(reader, asked, from) : undefined,
    nextCursor === null ? balancesAt(reader, asked, end) : undefined,
  ]);
  return {
    journal: {
      opening: opening && {
        at: from ?? now,
        lines: opening.filter(({ units }) => units !== 0n),
      },
      entries: shown,
      closing: closing && { at: to ?? now, lines: closing },
    },
    nextCursor,
  };
}

async function balancesAt(
  reader: Reader,
  { merchantId, environment, limit }: ReportRequest,
  to: Temporal.Instant | undefined,
): Promise<JournalLine[]> {
  const period = { merchantId, environment, limit, from: to, to, cursor: undefined };
  const rows = await listPeriodBalances(reader, period);
  return rows.map(({ code, assetId, closingUnits }) => ({ code, assetId, units: closingUnits }));
}

type LineRow = Omit<JournalEntry, 'lines'> & JournalLine;

/** One more entry than the page has, where there is one. */
async function listEntries(reader: Reader, request: ReportRequest): Promise<JournalEntry[]> {
  const { at, entry } = afterOf(request);
  const limit = request.limit + 1;
  const rows = await reader.query<LineRow>(sql`
    with page as materialized (
      select e.id, e.occurred_at, e.kind, e.subject_id from (
        select e.id, e.occurred_at, e.kind, e.subject_id from ledger_entry e
        where ${entriesInPeriod(request)} and (e.occurred_at, e.id) > (${at}, ${entry})
        order by e.occurred_at, e.id limit ${roomFor(limit)}) e
      order by e.occurred_at, e.id limit ${limit})
    select e.id, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId", a.code,
      a.asset_id as "assetId", -p.units as units
    from page e
      -- The offset keeps it from becoming a join that reads all postings.
      cross join lateral (
        select position, account_id, units from ledger_posting
        where entry_id = e.id offset 0) p
      join ledger_account a on a.id = p.account_id
    order by e.occurred_at, e.id, p.position`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const { id, occurredAt, kind, subjectId } = first;
    const lines = list.map(({ code, assetId, units }) => ({ code, assetId, units }));
    return [{ id, occurredAt, kind, subjectId, lines }];
  });
}
