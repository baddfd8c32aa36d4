import { type Reader, sql } from '#db/db.ts';

/** JSON texts of `meta` by checkout, for answers that name several; absent where none was given. */
export async function listCheckoutMeta(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.query<{ id: string; meta: string }>(sql`
    select id, meta from checkout where id = any(${ids}::text[]) and meta is not null`);
  return new Map(rows.map(({ id, meta }) => [id, meta]));
}
