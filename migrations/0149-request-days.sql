-- The log of requests by days, so that a day that is over gives its disk space back at once (decision
-- 101). The days are a ring of nine: today, the seven days before it of which something is kept, and
-- the one that comes next, which is empty before it begins. So no table is ever made while the
-- service runs, and every program that asks `api_request` finds the same name, columns and rows.
-- A row is always of one day, so an id is unique where its day is. What is there already is moved:
-- whoever reads or writes the log waits for that, and no request does.
lock table api_request in access exclusive mode;
alter table api_request rename to api_request_before;
alter index api_request_newest rename to api_request_before_newest;
alter index api_request_old rename to api_request_before_old;

create table api_request (
  like api_request_before including comments including constraints
) partition by list ((((at at time zone 'UTC')::date - date '0001-01-01') % 9));
create table api_request_day_0 partition of api_request (primary key (id)) for values in (0);
create table api_request_day_1 partition of api_request (primary key (id)) for values in (1);
create table api_request_day_2 partition of api_request (primary key (id)) for values in (2);
create table api_request_day_3 partition of api_request (primary key (id)) for values in (3);
create table api_request_day_4 partition of api_request (primary key (id)) for values in (4);
create table api_request_day_5 partition of api_request (primary key (id)) for values in (5);
create table api_request_day_6 partition of api_request (primary key (id)) for values in (6);
create table api_request_day_7 partition of api_request (primary key (id)) for values in (7);
create table api_request_day_8 partition of api_request (primary key (id)) for values in (8);
comment on table api_request is 'Requests to the API and their answers, for a week, without secrets; a partition for each day (UTC), nine of them in turn.';

insert into api_request select * from api_request_before;
drop table api_request_before;
create index api_request_newest on api_request (merchant_id, environment, at desc, id desc);
-- In an order that no list asks for: a plan that is made once for all shops would walk through every
-- request of all of them to find the newest ones of a shop that has few.
create index api_request_old on api_request (at nulls first);

-- Only the owner may empty a table, and the service is not the owner: so this looks for itself whether
-- a day is over, by the clock of the database, and nobody removes by it what is kept. A day of which
-- a row is younger than a week stays whole. Answers how many days it emptied.
create function empty_request_days(before timestamptz) returns integer
language plpgsql security definer set lock_timeout = '200ms' as $$
declare
  kept_since constant timestamptz := least(before, now() - interval '7 days');
  emptied integer := 0;
  day text;
  asks text;
  is_over boolean;
begin
  -- A transaction that sees one moment only does not see what was written since.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'days are emptied at read committed only'
      using errcode = 'invalid_transaction_state';
  end if;
  for slot in 0 .. 8 loop
    day := 'api_request_day_' || slot;
    -- On a worker of Citus the name is of a view (decision 78), and rows go one by one.
    continue when (select relkind from pg_class where oid = to_regclass(day)) is distinct from 'r';
    asks := format('select pg_relation_size(%L) > 0 and not exists (select from %I where at >= $1)',
      day, day);
    execute asks into is_over using kept_since;
    continue when not is_over;
    begin
      -- What somebody was writing is there when the lock is, and is looked for once more.
      execute format('lock table %I in access exclusive mode', day);
      execute asks into is_over using kept_since;
      if is_over then
        execute format('truncate %I', day);
        emptied := emptied + 1;
      end if;
    exception when lock_not_available then
      -- Somebody reads for long, a backup for example. Whoever came after us waits no more.
      null;
    end;
  end loop;
  return emptied;
end $$;
do $$ begin
  execute format('alter function empty_request_days set search_path = %I, pg_temp', current_schema());
end $$;
