// On its worker Citus keeps a table `receipt` as `receipt_102091`, and the name itself is of an
// empty table whose statements Citus writes anew: conditions and parameters of some forms are lost
// (docs/decisions/0078-citus.md). Money is not counted so. A schema beside that of the
// installation (`…_here`) has a view of each name that is the table on this very worker, and what a
// statement calls, and the service looks in there first and only (`openDb`). PostgreSQL puts the
// table in the place of such a view before it plans: locks, `on conflict`, `returning`, defaults
// and triggers are those of the table, and Citus never sees a statement of the service.
// Guarantees: after `nameOnWorkers` the worker that has the tables has such a view for each of them
// and no other node has any; numbers that the worker draws are above all that were drawn before, on
// whichever node, and leave no gap of billions, as the range would that Citus gives each node.
// What serves while names are given goes on: by those of before, then by those of now.
// Not guaranteed: that a statement of another program on the worker is not written anew.

import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';

const SCHEMA = ':schema';
const DRAWN = ':drawn';

/** Last numbers, by sequence. What has a range of Citus on the node has drawn none of ours. */
const LIST_DRAWN = `
  select jsonb_object_agg(format('%I.%I', schemaname, sequencename), last_value::text)
  from pg_sequences
  where schemaname = ${SCHEMA} and min_value = 1 and last_value is not null`;

/**
 * On each worker, as one statement. Views have the columns that PostgreSQL itself gives a row
 * (`xmin`, `ctid`) too. What draws numbers is the default of the name alone, not of the table.
 */
const NAME_TABLES = `
do $do$
declare
  of_tables constant text := ${SCHEMA};
  -- Made beside those that are in use, which they replace at once: nobody waits for the other.
  of_views constant text := of_tables || '_next';
  in_use constant text := of_tables || '_here';
  drawn_before constant jsonb := ${DRAWN};
  one record;
  texts text[];
  statement text;
  last_migration int;
begin
  -- What is made here is of this worker alone.
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  perform set_config('client_min_messages', 'warning', true);
  execute format('drop schema if exists %I cascade', of_views);
  if to_regnamespace(quote_ident(in_use)) is not null then
    execute format('alter schema %I rename to %I', in_use, of_tables || '_last');
  end if;
  if not exists (
    select from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
      join pg_dist_placement p on p.shardid = s.shardid
        and p.groupid = (select groupid from pg_dist_local_group)
    where c.relnamespace = of_tables::regnamespace
  ) then
    return;
  end if;
  execute format('create schema %I', of_views);
  execute format('grant usage on schema %I to public', of_views);

  for one in
    select c.relname as name, shard_name(c.oid, s.shardid) as place,
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
       where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
    where c.relnamespace = of_tables::regnamespace
  loop
    execute format('create view %I.%I as select %s, xmin, ctid from %s',
      of_views, one.name, one.columns, one.place);
  end loop;

  for one in
    select c.relname as name, a.attname as column, shard_name(c.oid, s.shardid) as place,
      sequence.name as sequence, drawn.number as drawn,
      (select seqmin <> 1 from pg_sequence where seqrelid = sequence.name::regclass) as is_new
    from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
      join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
      cross join lateral (select pg_get_serial_sequence(
        format('%I.%I', of_tables, c.relname), a.attname) as name) sequence
      left join jsonb_each_text(drawn_before) as drawn (name, number)
        on drawn.name = sequence.name
    where c.relnamespace = of_tables::regnamespace
  loop
    execute format('alter view %I.%I alter column %I set default nextval(%L)',
      of_views, one.name, one.column, one.sequence);
    if one.is_new then
      execute format('alter sequence %s minvalue 1 no maxvalue', one.sequence);
    end if;
    -- Never lowered: somebody may be drawing, where this is done again.
    execute format('select setval(%L, greatest(max(%I), %L::bigint, 1),
        max(%I) is not null or %L::bigint is not null)
      from %s having %L or greatest(max(%I), %L::bigint) > (select last_value from %s)',
      one.sequence, one.column, one.drawn, one.column, one.drawn,
      one.place, one.is_new, one.column, one.drawn, one.sequence);
  end loop;

  -- What names tables in its text finds those of this worker too.
  perform set_config('search_path', quote_ident(of_tables), true);
  texts := array(select format('create view %I.%I as %s', of_views, relname, pg_get_viewdef(oid))
    from pg_class where relnamespace = of_tables::regnamespace and relkind = 'v');
  texts := texts || array(select format('alter function %I.%I set search_path = %I, pg_temp',
      of_tables, proname, in_use)
    from pg_proc
    where pronamespace = of_tables::regnamespace and proconfig::text like '%search_path=%');
  perform set_config('search_path', quote_ident(of_views), true);
  select max(number) into last_migration from schema_migration;
  foreach statement in array texts loop
    execute statement;
  end loop;
  -- What a statement calls by its name; a trigger knows its function without.
  for one in
    select pg_get_functiondef(oid) as text, format(' %I.%I(', of_tables, proname) as known,
      format(' %I.%I(', of_views, proname) as named
    from pg_proc where pronamespace = of_tables::regnamespace and prorettype <> 'trigger'::regtype
  loop
    execute replace(one.text, one.known, one.named);
  end loop;

  for one in
    select c.relname as name, acl.privilege_type as privilege, acl.grantee::regrole as role
    from pg_class c cross join aclexplode(c.relacl) as acl
    where c.relnamespace = of_tables::regnamespace and c.relkind in ('r', 'p', 'v')
      and acl.grantee not in (0, c.relowner)
      and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('grant %s on %I.%I to %s', one.privilege, of_views, one.name, one.role);
  end loop;
  execute format('alter schema %I rename to %I', of_views, in_use);
  execute format('comment on schema %I is %L', in_use, last_migration);
end
$do$`;

/** Views that nobody finds by their name any more. Who reads by one is not waited for long. */
const DROP_LAST = `
do $do$
begin
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  perform set_config('client_min_messages', 'warning', true);
  perform set_config('lock_timeout', '500ms', true);
  execute format('drop schema if exists %I cascade', ${SCHEMA} || '_last');
end
$do$`;

/**
 * Whoever serves is refused each statement from now on. The schema stays, so that a new connection
 * looks in there too, and not where Citus writes its statements anew; the history of migrations
 * stays in it, so that nobody takes the database for an empty one.
 */
const TAKE_AWAY = `
do $do$
declare
  in_use constant text := ${SCHEMA} || '_here';
  history text;
begin
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  history := pg_get_viewdef(to_regclass(format('%I.schema_migration', in_use)));
  if history is not null then
    execute format('alter schema %I rename to %I', in_use, ${SCHEMA} || '_last');
    execute format('create schema %I', in_use);
    execute format('grant usage on schema %I to public', in_use);
    execute format('create view %I.schema_migration as %s', in_use, history);
  end if;
end
$do$`;

const DROPS_MOST = 60;
const DROP_PAUSE_MS = 500;

/**
 * Migrations, as the owner; afterwards what they made has its names. `isDistributed`: false where
 * Citus has nothing of it. Whoever serves goes on meanwhile, with the names that he knows.
 */
export async function keepNamed<Result>(
  db: Db,
  act: (isDistributed: boolean) => Promise<Result>,
): Promise<Result> {
  const schema = await findDistributedSchema(db);
  if (schema === undefined) return act(false);
  return act(true).finally(() => nameOnWorkers(db, schema));
}

/** A name has the columns of its table: none of them is dropped or given another type. */
export function isKeptByName(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const isTypeKept = error.code === '0A000' && /\bused by a view\b/.test(error.message);
  return error.code === '2BP01' || isTypeKept;
}

/** Whoever serves meanwhile is refused each statement. */
export async function takeNamesAway(db: Db): Promise<void> {
  const schema = await findDistributedSchema(db);
  if (schema === undefined) return;
  await dropLast(db, schema);
  await onAllNodes(db, ofSchema(TAKE_AWAY, schema));
  await dropLast(db, schema);
}

/** Of what was begun by them something may still go on. @throws Refusal when it does for long */
async function dropLast(db: Db, schema: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onAllNodes(db, ofSchema(DROP_LAST, schema));
      return;
    } catch (error) {
      if (!(error instanceof Refusal) || attempt === DROPS_MOST) throw error;
      await pause(DROP_PAUSE_MS);
    }
  }
}

function ofSchema(text: string, schema: string): Statement {
  return sql`replace(${text}, ${SCHEMA}, quote_literal(${schema}::text))`;
}

/** The schema that is looked in first, where Citus keeps its tables. */
export async function findDistributedSchema(reader: Reader): Promise<string | undefined> {
  const [citus] = await reader.query(sql`select 1 from pg_extension where extname = 'citus'`);
  if (citus === undefined) return undefined;
  const [found] = await reader.query<{ schema: string }>(sql`
    select current_schema()::text as schema from pg_dist_schema
    where schemaid = current_schema()::regnamespace`);
  return found?.schema;
}

/** As the owner, on the coordinator; again whenever something moved. @throws Refusal */
export async function nameOnWorkers(db: Db, schema: string): Promise<void> {
  await dropLast(db, schema);
  const listed = await onAllNodes(db, ofSchema(LIST_DRAWN, schema));
  const drawn = JSON.stringify(Object.fromEntries(highestOf(listed)));
  const named = ofSchema(NAME_TABLES, schema);
  await onAllNodes(db, sql`replace(${named}, ${DRAWN}, quote_literal(${drawn}::text))`);
  // What a backup still reads by them is dropped when names are given the next time.
  await dropLast(db, schema).catch(() => undefined);
}

/** What each answers. @throws Refusal when one does not do it. */
async function onAllNodes(db: Db, command: Statement): Promise<readonly string[]> {
  const answers = await db.query<{ node: string; success: boolean; result: string }>(sql`
    select n.nodename || ':' || n.nodeport as node, a.success, a.result
    from run_command_on_all_nodes(${command}) a join pg_dist_node n on n.nodeid = a.nodeid`);
  const failed = answers.find(({ success }) => !success);
  if (failed === undefined) return answers.map(({ result }) => result);
  throw new Refusal('conflict', 'distribute', [`${failed.node}: ${failed.result}`]);
}

/** Of several nodes, whose answers are objects in JSON, or nothing. */
function highestOf(answers: readonly string[]): ReadonlyMap<string, string> {
  const highest = new Map<string, string>();
  for (const answer of answers) {
    if (answer === '') continue;
    for (const [name, number] of Object.entries<string>(JSON.parse(answer))) {
      if (BigInt(number) > BigInt(highest.get(name) ?? 0)) highest.set(name, number);
    }
  }
  return highest;
}
