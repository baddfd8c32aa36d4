// What is in the tables, and what a number of checkouts has added.
import { type Reader, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { GOES, STAYS } from '#test/support/retention.ts';

export type Size = {
  readonly rows: number;
  /** Of rows alone, without pages and indexes: the same on every machine. */
  readonly rowBytes: number;
  /** Rows, once for each index of their table. */
  readonly entries: number;
  /** Of pages with their indexes and what is stored apart. */
  readonly diskBytes: number;
};

export type Sizes = ReadonlyMap<string, Size>;

type Table = {
  readonly name: string;
  readonly disk: bigint;
  readonly indexes: bigint;
  /** As the statistics say: 0 where there are none. */
  readonly guessed: number;
};

/** What partitions hold is of their table. */
function listTables(db: Reader): Promise<Table[]> {
  return db.query<Table>(sql`
    select named.relname::text as name, sum(pg_total_relation_size(stored.oid))::bigint as disk,
      sum(greatest(stored.reltuples, 0)) as guessed,
      max((select count(*) from pg_index where indrelid = stored.oid)) as indexes
    from pg_class stored left join pg_inherits on inhrelid = stored.oid
      join pg_class named on named.oid = coalesce(inhparent, stored.oid)
    where stored.relnamespace = current_schema()::regnamespace and stored.relkind = 'r'
    group by 1 order by 1`);
}

/** Without reading a row: of tables that take minutes to count. */
export async function guessSizes(db: Reader): Promise<Sizes> {
  const tables = await listTables(db);
  return new Map(
    tables.map(({ name, disk, indexes, guessed }) => [
      name,
      {
        rows: guessed,
        rowBytes: 0,
        entries: guessed * Number(indexes),
        diskBytes: Number(disk),
      },
    ]),
  );
}

export async function readSizes(db: Reader): Promise<Sizes> {
  const tables = await listTables(db);
  const sizes = new Map<string, Size>();
  for (const { name, disk, indexes } of tables) {
    const [row] = await db.query<{ rows: bigint; bytes: bigint }>(
      rawStatement(`select count(*) as rows,
        coalesce(sum(pg_column_size(t)), 0)::bigint as bytes from "${name}" t`),
    );
    const rows = Number(row?.rows ?? 0);
    sizes.set(name, {
      rows,
      rowBytes: Number(row?.bytes ?? 0),
      entries: rows * Number(indexes),
      diskBytes: Number(disk),
    });
  }
  return sizes;
}

export type Growth = { readonly table: string } & Size;

/** For each of so many checkouts, the largest table first. */
export function growthOf(before: Sizes, after: Sizes, checkouts: number): Growth[] {
  const grown = [...after].map(([table, now]) => {
    const was = before.get(table);
    const by = (name: keyof Size) => (now[name] - (was?.[name] ?? 0)) / checkouts;
    const [rows, rowBytes, entries] = [by('rows'), by('rowBytes'), by('entries')];
    return { table, rows, rowBytes, entries, diskBytes: by('diskBytes') };
  });
  return grown.sort((one, other) => other.diskBytes - one.diskBytes);
}

export type Kind = 'stays' | 'goes' | 'other';

export function kindOf({ table }: Pick<Growth, 'table'>): Kind {
  if (table in GOES) return 'goes';
  return STAYS.includes(table) ? 'stays' : 'other';
}

export function sumOf(growth: readonly Growth[], kind: Kind): Size {
  const own = growth.filter((one) => kindOf(one) === kind);
  const sum = (name: keyof Size) => own.reduce((total, one) => total + one[name], 0);
  const [rows, rowBytes, entries] = [sum('rows'), sum('rowBytes'), sum('entries')];
  return { rows, rowBytes, entries, diskBytes: sum('diskBytes') };
}
