// On its worker Citus keeps a table `receipt` as `receipt_102091`, and the name itself is of an
// empty table whose statements Citus writes anew: conditions and parameters of some forms are lost
// (docs/decisions/0078-citus.md). Money is not counted so. A schema beside that of the
// installation (`…_here`) has a view of each name that is the table on this very worker, and the
// service looks in there first and only (`openDb`). PostgreSQL puts the table in the place of such
// a view before it plans: locks, `on conflict`, `returning`, defaults and triggers are those of the
// table, and Citus never sees a statement of the service.
// Guarantees: after `nameOnWorkers` the worker that has the tables has such a view for each of them
// and no other node has any; numbers that the worker draws are above all that were drawn before, on
// whichever node, and leave no gap of billions, as the range would that Citus gives each node.
// Not guaranteed: that a statement of another program on the worker is not written anew.

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
  of_views constant text := of_tables || '_here';
  drawn_before constant jsonb := ${DRAWN};
  one record;
  texts text[];
  statement text;
begin
  -- What is made here is of this worker alone.
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  perform set_config('client_min_messages', 'warning', true);
  execute format('drop schema if exists %I cascade', of_views);
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
      of_tables, proname, of_views)
    from pg_proc
    where pronamespace = of_tables::regnamespace and proconfig::text like '%search_path=%');
  perform set_config('search_path', quote_ident(of_views), true);
  foreach statement in array texts loop
    execute statement;
  end loop;

  for one in
    select c.relname as name, acl.privilege_type as privilege, acl.grantee::regrole as role
    from pg_class c cross join aclexplode(c.relacl) as acl
    where c.relnamespace = of_tables::regnamespace and c.relkind in ('r', 'v')
      and acl.grantee not in (0, c.relowner)
      and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('grant %s on %I.%I to %s', one.privilege, of_views, one.name, one.role);
  end loop;
end
$do$`;

/**
 * Views hold the columns of their tables as they are: a migration finds none. Whoever serves
 * meanwhile is refused each statement. As the owner; where nothing is distributed, only the act.
 */
export async function withoutNames<Result>(
  db: Db,
  act: (isDistributed: boolean) => Promise<Result>,
): Promise<Result> {
  const schema = await findDistributedSchema(db);
  if (schema === undefined) return act(false);
  const drop = `do $do$ begin
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    execute format('drop schema if exists %I cascade', ${SCHEMA} || '_here');
  end $do$`;
  await onAllNodes(db, sql`replace(${drop}, ${SCHEMA}, quote_literal(${schema}))`);
  return act(true).finally(() => nameOnWorkers(db, schema));
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
  const name = sql`quote_literal(${schema}::text)`;
  const listed = await onAllNodes(db, sql`replace(${LIST_DRAWN}, ${SCHEMA}, ${name})`);
  const drawn = JSON.stringify(Object.fromEntries(highestOf(listed)));
  const named = sql`replace(${NAME_TABLES}, ${SCHEMA}, ${name})`;
  await onAllNodes(db, sql`replace(${named}, ${DRAWN}, quote_literal(${drawn}::text))`);
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
