-- The trigger of postings reads its lines once, into arrays, and asks the tables beside them: a statement
-- of its own for what was written, others for what is stored. It decides as before (decision 0026).
-- Citus keeps a table apart from its name, and plans no statement that joins one to the rows of a
-- trigger; PostgreSQL alone does not mind either way (decision 0078).
create or replace function post_to_balances() returns trigger language plpgsql security definer as $$
declare
  entries bigint[];
  accounts bigint[];
  owners text[];
  amounts numeric[];
  spent bigint[];
  overdrawn bigint;
begin
  select array_agg(entry_id), array_agg(account_id), array_agg(owner), array_agg(units)
  into entries, accounts, owners, amounts from new_posting;
  -- A statement that posts nothing.
  if entries is null then
    return null;
  end if;

  if exists (select 1 from unnest(entries) as p (entry_id)
             where (select e.xmin from ledger_entry e where e.id = p.entry_id)
                   is distinct from pg_current_xact_id()::xid) then
    raise exception 'a ledger entry is closed when its transaction is over'
      using errcode = 'check_violation', constraint = 'ledger_entry_closed';
  end if;

  spent := array(
    select p.account_id from unnest(entries, accounts, owners, amounts)
      as p (entry_id, account_id, owner, units)
    where p.owner <> ''
      and (select a.code from ledger_account a where a.id = p.account_id) <> 'merchant:owed'
      and not (select e.is_reversal from ledger_entry e where e.id = p.entry_id)
    group by p.account_id having sum(p.units) > 0
    union all
    select p.account_id from unnest(accounts, owners, amounts) as p (account_id, owner, units)
    where p.owner <> ''
      and (select a.code from ledger_account a where a.id = p.account_id) = 'merchant:owed'
    group by p.account_id having sum(p.units) < 0);
  if spent <> '{}' then
    perform 1 from ledger_account where id = any (spent) order by id for no key update;
  end if;

  insert into ledger_balance_part as known (account_id, part, units)
  select p.account_id, (select min(entry_id) % 32 from unnest(entries) as one (entry_id)),
    sum(p.units)
  from unnest(accounts, amounts) as p (account_id, units)
  group by p.account_id order by p.account_id
  on conflict (account_id, part) do update set units = known.units + excluded.units;

  if spent <> '{}' then
    select account.id into overdrawn from unnest(spent) as account (id)
    where (select sum(b.units) from ledger_balance_part b where b.account_id = account.id)
      * (select case a.code when 'merchant:owed' then -1 else 1 end
         from ledger_account a where a.id = account.id) > 0
    limit 1;
    if found then
      raise exception 'ledger account % would be overdrawn', overdrawn
        using errcode = 'check_violation', constraint = 'ledger_account_not_overdrawn';
    end if;
  end if;
  return null;
end $$;
do $$ begin
  execute format('alter function post_to_balances() set search_path = %I, pg_temp', current_schema());
end $$;
