import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import {
  afterOf,
  columns,
  entriesInPeriod,
  type Report,
  type ReportRequest,
  roomFor,
} from './report.ts';

/** Positive is more of the merchant's money. */
export const ledgerReport: Report = {
  name: 'ledger',
  summary: 'Every movement on the accounts of the merchant',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'account', 'assetId', 'assetCode', 'amount*'],
    'correctsEntry',
  ),
  async read(reader, request) {
    const found = await listPostings(reader, request, undefined);
    const { shown, nextCursor } = cutPage(found, request.limit, placeOfPosting);
    const rows = shown.map((row) => {
      const { assetCode, decimals } = getAsset(row.assetId);
      return {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        account: row.code,
        assetId: row.assetId,
        assetCode,
        amount: amountToText(-row.units, decimals),
        correctsEntry: row.correctsEntry === null ? null : String(row.correctsEntry),
      };
    });
    return { rows, nextCursor };
  },
};

export function placeOfPosting({
  occurredAt,
  entry,
  position,
}: Pick<PostingRow, 'occurredAt' | 'entry' | 'position'>) {
  return { at: occurredAt, id: `${entry}x${position}` };
}

type PostingRow = {
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

/** Lines of the merchant's own accounts; of what is available of one asset where one is named. */
export function listPostings(
  reader: Reader,
  request: ReportRequest,
  assetId: string | undefined,
): Promise<PostingRow[]> {
  const { at, entry, position } = afterOf(request);
  const limit = request.limit + 1;
  const [ofAsset, isAvailable] =
    assetId === undefined
      ? [sql``, sql``]
      : [sql`and asset_id = ${assetId}`, sql`and a.code = 'merchant:available'`];
  // The offset keeps it from becoming a join that reads all postings. What is inside stops as soon
  // as the page has its rows.
  return reader.query<PostingRow>(sql`
    select * from (
      select e.id as entry, p.position, e.occurred_at as "occurredAt", e.kind,
        e.subject_id as "subjectId", e.corrects_entry as "correctsEntry", a.code,
        a.asset_id as "assetId", p.units
      from ledger_entry e
        cross join lateral (
          select position, account_id, units from ledger_posting
          where entry_id = e.id and owner = ${request.merchantId} ${ofAsset} offset 0) p
        join ledger_account a on a.id = p.account_id ${isAvailable}
      where ${entriesInPeriod(request)}
        and (e.occurred_at, e.id, p.position) > (${at}, ${entry}, ${position})
      order by e.occurred_at, e.id, p.position limit ${roomFor(limit)}) page
    order by "occurredAt", entry, position limit ${limit}`);
}
