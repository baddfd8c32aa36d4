import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { placeOfPosting } from './ledger-report.ts';
import { afterOf, columns, entriesInPeriod, type Report, type ReportRequest } from './report.ts';

/** A fee that was given back, as after a reorganisation, is negative. */
export const feesReport: Report = {
  name: 'fees',
  summary: 'Every fee: of the service, and of networks on transfers',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'feeType', 'assetId', 'assetCode', 'amount*'],
  ),
  async read(reader, request) {
    const found = await listFees(reader, request);
    const { shown, nextCursor } = cutPage(found, request.limit, placeOfPosting);
    const rows = shown.map((row) => {
      const { assetCode, decimals } = getAsset(row.assetId);
      return {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        feeType: row.feeType,
        assetId: row.assetId,
        assetCode,
        amount: amountToText(row.units, decimals),
      };
    });
    return { rows, nextCursor };
  },
};

type FeeRow = {
  readonly entry: bigint;
  readonly position: number;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly feeType: 'service' | 'network';
  readonly assetId: string;
  readonly units: bigint;
};

/** After the place of the page. */
function listFees(reader: Reader, request: ReportRequest): Promise<FeeRow[]> {
  const { at, entry, position } = afterOf(request);
  return reader.query<FeeRow>(sql`
    select * from (${feesInPeriod(request)}
        and (e.occurred_at, e.id, p.position) > (${at}, ${entry}, ${position})) fee
    where units <> 0
    order by "occurredAt", entry, position limit ${request.limit + 1}`);
}

/**
 * The fee of a network has no account where the network took it out of what we hold: it is what was
 * reserved for a transfer, less what was sent, what the service kept and what was given back.
 */
function feesInPeriod(request: ReportRequest): Statement {
  return sql`
    select e.id as entry, p.position, e.occurred_at as "occurredAt", e.kind,
      e.subject_id as "subjectId", a.asset_id as "assetId",
      case when a.code = 'fees' then 'service' else 'network' end as "feeType",
      case when a.code = 'fees' then -p.units
        else p.units - sign(p.units) * t.target_units + other.units end as units
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
      left join ledger_entry original on original.id = e.corrects_entry
      left join transfer t on a.code = 'merchant:reserved' and t.id = e.subject_id
      left join lateral (
        select coalesce(sum(q.units), 0) as units
        from ledger_posting q join ledger_account b on b.id = q.account_id
        where q.entry_id = e.id
          and b.code in ('merchant:available', 'dust', 'fees')) other on true
    where ${entriesInPeriod(request)} and (a.code = 'fees' or t.id is not null
        and coalesce(original.kind, e.kind)
          in ('transfer-complete', 'refund-complete', 'return-complete'))`;
}

/** Of a day of UTC together. */
export type FeesOfDay = {
  readonly day: Temporal.Instant;
  readonly assetId: string;
  readonly units: bigint;
  /** How many there were. */
  readonly count: number;
};

export async function listFeeDays(
  reader: Reader,
  request: Omit<ReportRequest, 'limit' | 'cursor'>,
): Promise<FeesOfDay[]> {
  const whole = { ...request, limit: 1, cursor: undefined };
  const rows = await reader.query<Omit<FeesOfDay, 'count'> & { readonly count: bigint }>(sql`
    select date_trunc('day', "occurredAt", 'UTC') as day, "assetId", sum(units) as units, count(*)
    from (${feesInPeriod(whole)}) fee where units <> 0
    group by 1, 2 order by 1, 2`);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
