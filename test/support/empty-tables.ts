import type { Db } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

/** In this order. Not by `truncate`: on a worker of Citus the name of a table is that of a view. */
export async function emptyTables(db: Db, ...names: readonly string[]): Promise<void> {
  await db.transact(async (tx) => {
    for (const name of names) await tx.query(rawStatement(`delete from ${name}`));
  });
}
