// Hands the schema of an installation to Citus: all its tables go to one worker, together, and each
// node knows which. Guarantees: every constraint, trigger and lock of the schema holds as on a
// server alone, because all rows are on one. Not guaranteed: anything between two installations;
// each has its own merchants, addresses and ledger.

import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { findDistributedSchema, nameOnWorkers } from './name-on-worker.ts';

type Placed = {
  readonly schema: string;
  readonly tables: bigint;
  /** Host and port of the worker. */
  readonly node: string;
  /** It had been distributed before. */
  readonly wasThere: boolean;
};

/** As the owner of the schema, on the coordinator. @throws Refusal */
export async function distributeSchema(db: Db): Promise<Placed> {
  const schema = await refuseUnfit(db);
  const wasThere = (await findDistributedSchema(db)) === schema;
  if (!wasThere) {
    await db.transact(async (tx) => {
      tx.send(sql`set local statement_timeout = 0`);
      // They are safe here: what a trigger of ours reads and writes is on the same worker.
      tx.send(sql`select set_config('citus.enable_unsafe_triggers', 'on', true)`);
      await tx.query(sql`select citus_schema_distribute(${schema}::text::regnamespace)`);
    });
  }
  const [placed] = await db.query<{ node: string; tables: bigint }>(sql`
    select nodename || ':' || nodeport as node, count(distinct table_name) as tables
    from citus_shards where table_name::text = any(array(
      select oid::regclass::text from pg_class where relnamespace = ${schema}::text::regnamespace))
    group by 1`);
  if (placed === undefined) throw refused('Citus names no worker that has the tables');
  await nameOnWorkers(db, schema);
  return { schema, wasThere, ...placed };
}

/**
 * Where Citus writes statements anew nobody may serve: on the coordinator, on a worker that has not
 * the tables, or while they have no names on theirs. @throws Refusal
 */
export async function refuseWrittenAnew(reader: Reader): Promise<void> {
  const schema = await findDistributedSchema(reader);
  if (schema === undefined) return refuseOldNames(reader);
  throw new Refusal('conflict', 'database_unsafe', [
    `DATABASE_URL: Citus writes anew what is asked of the tables of ${schema} there: ` +
      'name the worker that has them (npx quittance distribute says which)',
  ]);
}

/** A migration was made, and who made it ended before it gave the names. */
async function refuseOldNames(reader: Reader): Promise<void> {
  const [names] = await reader.query<{ of: string | null; last: string }>(sql`
    select obj_description(current_schema()::regnamespace, 'pg_namespace') as of,
      (select max(number)::text from schema_migration) as last
    where right(current_schema(), 5) = '_here'`);
  if (names === undefined || names.of === names.last) return;
  throw new Refusal('conflict', 'database_unsafe', [
    `the tables on this worker have the names of migration ${names.of ?? 'none'}, and the last is ` +
      `${names.last}: npx quittance distribute, at the coordinator, gives them anew`,
  ]);
}

/** The schema that is looked in first. */
async function refuseUnfit(db: Db): Promise<string> {
  const [place] = await db.query<{ schema: string; hasCitus: boolean }>(sql`
    select current_schema()::text as schema,
      exists (select 1 from pg_extension where extname = 'citus') as "hasCitus"`);
  if (place?.hasCitus !== true) {
    throw refused('the database has no Citus: create extension citus, on every node');
  }
  const { schema } = place;
  if (schema === 'public') {
    throw refused(
      'the tables lie in public, which Citus does not move: an installation needs a schema of ' +
        'the name of its role (create schema … authorization …)',
    );
  }
  const workers = await db.query(sql`
    select 1 from pg_dist_node where isactive and shouldhaveshards and groupid <> 0 limit 1`);
  if (workers.length === 0) {
    throw refused('Citus has no worker: select citus_add_node(host, port) on the coordinator');
  }
  return schema;
}

function refused(reason: string): Refusal {
  return new Refusal('conflict', 'distribute', [reason]);
}
