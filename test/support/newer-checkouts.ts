// Many checkouts beside one that is wanted, without making each.
import { type Db, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

/** Copies without `meta`, a minute newer than the newest of all. */
export async function addNewer(db: Db, checkoutId: string, count: number): Promise<void> {
  // By name: on a worker of Citus there are two more, of which no row can be made.
  const [columns] = await db.query<{ names: string }>(sql`
    select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
    where attrelid = 'checkout'::regclass and attnum > 0 and not attisdropped
      and attname not in ('xmin', 'ctid')`);
  const names = columns?.names ?? '';
  await db.transact(async (tx) => {
    // Without foreign keys: what is copied has them.
    tx.send(rawStatement('set local session_replication_role = replica'));
    tx.send(
      rawStatement(`
        insert into checkout (${names})
        select ${names} from (
          select made.* from checkout c, generate_series(1, ${count}) n,
            lateral jsonb_populate_record(c, jsonb_build_object(
              'id', substr(md5(c.id || n), 1, 12), 'meta', null,
              'page_token_hash', sha256((c.id || n)::bytea)::text,
              'created_at', (select max(created_at) from checkout) + interval '1 minute')) made
          where c.id = '${checkoutId}') copies`),
    );
  });
}
