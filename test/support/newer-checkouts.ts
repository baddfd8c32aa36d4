// Many checkouts beside one that is wanted, without making each.
import type { Db } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

/** Copies without `meta`, a minute newer than the newest of all. */
export async function addNewer(db: Db, checkoutId: string, count: number): Promise<void> {
  await db.transact(async (tx) => {
    // Without foreign keys: what is copied has them.
    tx.send(rawStatement('set local session_replication_role = replica'));
    tx.send(
      rawStatement(`
        insert into checkout
        select made.* from checkout c, generate_series(1, ${count}) n,
          lateral jsonb_populate_record(c, jsonb_build_object(
            'id', substr(md5(c.id || n), 1, 12), 'meta', null,
            'page_token_hash', sha256((c.id || n)::bytea)::text,
            'created_at', (select max(created_at) from checkout) + interval '1 minute')) made
        where c.id = '${checkoutId}'`),
    );
  });
}
