// Entries as they stand in the database.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { NumberedTable } from '#db/settled-top.ts';
import {
  bigInteger,
  defineTable,
  flag,
  moment,
  nullable,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';

export const LEDGER_ENTRY = defineTable('ledger_entry', {
  id: selectOnly(bigInteger),
  causeKey: text(),
  kind: text(),
  environment: text<Environment>(),
  merchantId: nullable(text()),
  subjectId: nullable(text()),
  correctsEntry: nullable(bigInteger),
  isReversal: flag,
  evidence: nullable(text()),
  occurredAt: moment,
});

export const ENTRY_NUMBERS: NumberedTable = {
  name: LEDGER_ENTRY.name,
  top: sql`select coalesce(max(id), 0) from ledger_entry`,
};

/** An entry with its lines side by side in arrays; the arrays are null when it has none. */
export type PostedEntry = Row<typeof LEDGER_ENTRY> & {
  readonly correctedAt: Temporal.Instant | null;
  readonly positions: readonly number[] | null;
  readonly assetIds: readonly string[] | null;
  readonly units: readonly bigint[] | null;
  /** Of the accounts. */
  readonly environments: readonly (string | null)[] | null;
  readonly merchantIds: readonly (string | null)[] | null;
  readonly codes: readonly (string | null)[] | null;
  readonly accountAssetIds: readonly (string | null)[] | null;
};

/** The next entries by row number: above `after`, at most `upTo`. */
export async function listEntriesAfter(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<PostedEntry[]> {
  const rows = await reader.query<PostedEntry>(sql`
    select ${LEDGER_ENTRY.columnsOf('e')},
      (select c.occurred_at from ledger_entry c where c.id = e.corrects_entry) as "correctedAt",
      line.*
    from (
      select * from ledger_entry where id > ${after} and id <= ${upTo} order by id limit ${limit}
    ) e cross join lateral (
      select array_agg(p.position order by p.position) as positions,
        array_agg(p.asset_id order by p.position) as "assetIds",
        array_agg(p.units order by p.position) as units,
        array_agg(a.environment order by p.position) as environments,
        array_agg(a.merchant_id order by p.position) as "merchantIds",
        array_agg(a.code order by p.position) as codes,
        array_agg(a.asset_id order by p.position) as "accountAssetIds"
      from ledger_posting p left join ledger_account a on a.id = p.account_id
      where p.entry_id = e.id
    ) line
    order by e.id`);
  return rows.map((row) => LEDGER_ENTRY.parse(row));
}

export async function findTopEntry(reader: Reader): Promise<bigint> {
  const [row] = await reader.query<{ top: bigint }>(sql`select (${ENTRY_NUMBERS.top}) as top`);
  return row?.top ?? 0n;
}
