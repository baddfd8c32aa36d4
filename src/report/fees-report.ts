import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { cutPage, encodeCursor } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { placeOfPosting } from './ledger-report.ts';
import {
  afterOf,
  columns,
  entriesInPeriod,
  type Report,
  type ReportRequest,
  roomFor,
} from './report.ts';

/** A fee that was given back, as after a reorganisation, is negative. */
export const feesReport: Report = {
  name: 'fees',
  summary:
    'Every fee: of the service, and of networks on transfers (a page may hold fewer than asked for)',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'feeType', 'assetId', 'assetCode', 'amount*'],
  ),
  async read(reader, request) {
    const found = await listFees(reader, request);
    const { shown, nextCursor: next } = cutPage(found, request.limit, placeOfPosting);
    const nextCursor = next ?? (await lookedUpTo(reader, request, found.at(-1)));
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

/**
 * Entries that a page looks at: where few have a fee it ends after them, with fewer rows or none,
 * and the next one goes on there (decision 102).
 */
const LOOKED_MOST = sql`20000`;

/** After the place of the page, of the entries that it looks at. */
function listFees(reader: Reader, request: ReportRequest): Promise<FeeRow[]> {
  const { at, entry, position } = afterOf(request);
  const looked = sql`(
    select * from ledger_entry e where ${entriesInPeriod(request)}
    order by e.occurred_at, e.id limit ${LOOKED_MOST})`;
  return reader.query<FeeRow>(sql`
    select * from (
      select * from (${feesOf(looked)}) fee
      where units <> 0 and ("occurredAt", entry, position) > (${at}, ${entry}, ${position})
      order by "occurredAt", entry, position limit ${roomFor(request.limit + 1)}) page
    order by "occurredAt", entry, position limit ${request.limit + 1}`);
}

/** Cursor behind the last entry that a page looked at; null where there is none behind it. */
async function lookedUpTo(
  reader: Reader,
  request: ReportRequest,
  last: FeeRow | undefined,
): Promise<string | null> {
  const [place] = await reader.query<EntryPlace>(sql`
    select e.id as entry, e.occurred_at as "occurredAt" from ledger_entry e
    where ${entriesInPeriod(request)}
    order by e.occurred_at, e.id offset ${LOOKED_MOST} - 1 limit 1`);
  if (place === undefined) return null;
  const looked = { at: place.occurredAt, id: `${place.entry}x${POSITION_MOST}` };
  // What was booked meanwhile lies before it: nothing that was shown is shown again.
  return encodeCursor(last !== undefined && isBehind(last, place) ? placeOfPosting(last) : looked);
}

type EntryPlace = Pick<FeeRow, 'entry' | 'occurredAt'>;

function isBehind(one: EntryPlace, other: EntryPlace): boolean {
  const order = Temporal.Instant.compare(one.occurredAt, other.occurredAt);
  return order === 0 ? one.entry > other.entry : order > 0;
}

/** Above that of every posting. */
const POSITION_MOST = 9_999;

/**
 * The fee of a network has no account where the network took it out of what we hold: it is what was
 * reserved for a transfer, less what was sent, what the service kept and what was given back.
 */
function feesOf(entries: Statement): Statement {
  return sql`
    select e.id as entry, p.position, e.occurred_at as "occurredAt", e.kind,
      e.subject_id as "subjectId", a.asset_id as "assetId",
      case when a.code = 'fees' then 'service' else 'network' end as "feeType",
      case when a.code = 'fees' then -p.units
        else p.units - sign(p.units) * t.target_units + other.units end as units
    from ${entries} e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
      left join ledger_entry original on original.id = e.corrects_entry
      left join transfer t on a.code = 'merchant:reserved' and t.id = e.subject_id
      left join lateral (
        select coalesce(sum(q.units), 0) as units
        from ledger_posting q join ledger_account b on b.id = q.account_id
        where q.entry_id = e.id
          and b.code in ('merchant:available', 'dust', 'fees')) other on true
    where a.code = 'fees' or t.id is not null
        and coalesce(original.kind, e.kind)
          in ('transfer-complete', 'refund-complete', 'return-complete')`;
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
    from (${feesOf(sql`(select * from ledger_entry e where ${entriesInPeriod(whole)})`)}) fee
    where units <> 0
    group by 1, 2 order by 1, 2`);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
