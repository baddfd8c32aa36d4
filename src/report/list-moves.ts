// What each entry made of a merchant's own accounts together, asset by asset, and what it
// exchanged.
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql } from '#db/db.ts';
import { BEGINNING, END } from './report.ts';

export type Move = {
  readonly assetId: string;
  /** More of the merchant's money is positive. */
  readonly units: bigint;
  /** What was bought is above zero, with its fee; what was given for it below. */
  readonly exchangedUnits: bigint;
  /** Kept by the service. */
  readonly feeUnits: bigint;
  /** What reached the receiver of a transfer that landed; the rest of what left is fees. */
  readonly sentUnits: bigint;
};

export type EntryMoves = {
  readonly id: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  /** The entry that this one takes back. */
  readonly corrects: bigint | undefined;
  /** A later one takes it back. */
  readonly isCorrected: boolean;
  readonly moves: readonly Move[];
};

type Row = Omit<EntryMoves, 'moves' | 'corrects'> & {
  readonly corrects: bigint | null;
  readonly assetId: string | null;
  readonly units: bigint;
  readonly exchangedUnits: bigint;
  readonly feeUnits: bigint;
  readonly sentUnits: bigint;
};

/** The next entries of the merchant, oldest first; those that moved nothing have no moves. */
export async function listMoves(
  reader: Reader,
  { merchantId, environment }: Owner,
  {
    after = { at: BEGINNING, entry: 0n },
    to = END,
    limit,
  }: {
    readonly after: { readonly at: Temporal.Instant; readonly entry: bigint } | undefined;
    readonly to: Temporal.Instant | undefined;
    readonly limit: number;
  },
): Promise<EntryMoves[]> {
  const rows = await reader.query<Row>(sql`
    with page as materialized (
      select e.id, e.occurred_at, e.kind, e.subject_id, e.corrects_entry from ledger_entry e
      where e.merchant_id = ${merchantId} and e.environment = ${environment}
        and (e.occurred_at, e.id) > (${after.at}, ${after.entry}) and e.occurred_at < ${to}
      order by e.occurred_at, e.id limit ${limit})
    select e.id, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId",
      e.corrects_entry as corrects, (
        select r.id from ledger_entry r where r.corrects_entry = e.id limit 1
      ) is not null as "isCorrected",
      line.asset_id as "assetId", coalesce(line.units, 0) as units,
      coalesce(line.exchanged, 0) as "exchangedUnits", coalesce(line.fee, 0) as "feeUnits",
      coalesce(t.target_units, 0) as "sentUnits"
    from page e
    left join lateral (
      select a.asset_id, -coalesce(sum(p.units) filter (where a.merchant_id = ${merchantId}), 0)
          as units,
        sum(p.units) filter (where a.code = 'exchange') as exchanged,
        -sum(p.units) filter (where a.code = 'fees') as fee
      from ledger_posting p join ledger_account a on a.id = p.account_id
      where p.entry_id = e.id group by a.asset_id) line
      on line.units <> 0 or line.exchanged <> 0
    left join transfer t on t.id = e.subject_id and t.asset_id = line.asset_id
      and e.kind in ('transfer-complete', 'refund-complete', 'return-complete')
    order by e.occurred_at, e.id, line.asset_id`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const { id, occurredAt, kind, subjectId, corrects, isCorrected } = first;
    const moves = list.flatMap(({ assetId, units, exchangedUnits, feeUnits, sentUnits }) =>
      assetId === null ? [] : [{ assetId, units, exchangedUnits, feeUnits, sentUnits }],
    );
    return [
      { id, occurredAt, kind, subjectId, corrects: corrects ?? undefined, isCorrected, moves },
    ];
  });
}
