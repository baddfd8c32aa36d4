-- Balances leave the account: one account has up to 32 rows of them, so that payments that arrive at
-- the same time do not wait for each other's COMMIT. Which row a change lands in means nothing; the
-- balance is their sum (view ledger_balance). They are written by the trigger of postings alone: a
-- balance without postings is impossible. See docs/money.md and decision 0026.
create table ledger_balance_part (
  account_id bigint not null references ledger_account,
  part smallint not null check (part between 0 and 31),
  units numeric(78,0) not null,
  primary key (account_id, part)
) with (fillfactor = 70);
comment on table ledger_balance_part is 'Parts of the balances of accounts, written by the trigger of postings.';
comment on column ledger_balance_part.account_id is 'The account.';
comment on column ledger_balance_part.part is 'Which part: the number of an entry modulo 32.';
comment on column ledger_balance_part.units is 'Sum of the postings that landed here (debit positive); by itself it means nothing.';

insert into ledger_balance_part (account_id, part, units)
select id, 0, balance_units from ledger_account where balance_units <> 0;

alter table ledger_account drop constraint ledger_account_not_overdrawn,
  drop constraint ledger_account_owed_is_a_claim,
  drop column balance_units, drop column negative_since_entry;

-- A reversal alone may take a merchant account below zero. Everything that corrected an entry up to
-- now was one.
alter table ledger_entry add column is_reversal boolean not null default false;
alter table ledger_entry disable trigger ledger_entry_immutable;
update ledger_entry set is_reversal = true where corrects_entry is not null;
alter table ledger_entry enable trigger ledger_entry_immutable;
alter table ledger_entry add constraint ledger_entry_reversal
  check (corrects_entry is not null or not is_reversal);
comment on column ledger_entry.is_reversal is 'It takes back what corrects_entry posted, and may take a merchant account below zero.';

-- Whose account a line moves and in which environment stands in the line, so that foreign keys prove
-- it: a test entry never moves live money, nor an entry of one merchant the money of another. The
-- accounts of the house (owner is empty) may stand in the entries of every merchant.
alter table ledger_account add column owner text not null generated always as (coalesce(merchant_id, '')) stored;
alter table ledger_account add constraint ledger_account_identity unique (id, asset_id, environment, owner);
comment on column ledger_account.owner is 'The merchant, or empty for an account of the house: a foreign key skips what is null.';
create view ledger_balance as
  select a.id as account_id, a.environment, a.merchant_id, a.owner, a.code, a.asset_id,
    coalesce((select sum(p.units) from ledger_balance_part p where p.account_id = a.id), 0)
      as balance_units
  from ledger_account a;
comment on view ledger_balance is 'Balance of every account, debit positive.';
drop index ledger_account_natural_key;
create unique index ledger_account_natural_key on ledger_account (environment, owner, code, asset_id);

alter table ledger_entry add constraint ledger_entry_of_merchant unique (merchant_id, id),
  add constraint ledger_entry_of_environment unique (id, environment);

alter table ledger_posting add column environment text, add column owner text;
alter table ledger_posting disable trigger ledger_posting_immutable;
update ledger_posting p set environment = a.environment, owner = a.owner
from ledger_account a where a.id = p.account_id;
alter table ledger_posting enable trigger ledger_posting_immutable;
alter table ledger_posting
  alter column environment set not null,
  alter column owner set not null,
  add column merchant_id text generated always as (nullif(owner, '')) stored,
  drop constraint ledger_posting_account_id_asset_id_fkey,
  drop constraint ledger_posting_entry_id_fkey,
  add constraint ledger_posting_account_fkey
    foreign key (account_id, asset_id, environment, owner)
    references ledger_account (id, asset_id, environment, owner),
  add constraint ledger_posting_environment_fkey
    foreign key (entry_id, environment) references ledger_entry (id, environment),
  add constraint ledger_posting_merchant_fkey
    foreign key (merchant_id, entry_id) references ledger_entry (merchant_id, id);
alter table ledger_account drop constraint ledger_account_id_asset_id_key;
comment on column ledger_posting.environment is 'Of the entry and of the account: the foreign keys prove that they agree.';
comment on column ledger_posting.owner is 'The merchant whose account it is, or empty for the house.';
comment on column ledger_posting.merchant_id is 'The owner where it is a merchant: then it is the merchant of the entry.';

-- Closed entries, balances and L6, once for all lines that one statement posts. Balances change in
-- order of accounts, so that two postings never wait crosswise; whoever takes money out of a
-- merchant account holds the account meanwhile, whoever pays in does not. What is read under that
-- lock may miss money that arrives at the same moment, and never misses money that was spent. What a
-- merchant owes is a claim of the house: it is held by whoever pays it down, and never below zero in
-- that sense.
-- Entries and accounts are looked up in scalar sub-queries because that is always an index scan: a
-- join becomes a scan of the whole ledger once it was planned for a large batch.
drop trigger ledger_posting_of_new_entry on ledger_posting;
drop function check_postings_are_of_new_entries();
create function post_to_balances() returns trigger language plpgsql security definer as $$
declare
  spent bigint[];
  overdrawn bigint;
begin
  if exists (select 1 from new_posting p
             where (select e.xmin from ledger_entry e where e.id = p.entry_id)
                   is distinct from pg_current_xact_id()::xid) then
    raise exception 'a ledger entry is closed when its transaction is over'
      using errcode = 'check_violation', constraint = 'ledger_entry_closed';
  end if;

  spent := array(
    select p.account_id from new_posting p
    where p.owner <> ''
      and (select a.code from ledger_account a where a.id = p.account_id) <> 'merchant:owed'
      and not (select e.is_reversal from ledger_entry e where e.id = p.entry_id)
    group by p.account_id having sum(p.units) > 0
    union all
    select p.account_id from new_posting p
    where p.owner <> ''
      and (select a.code from ledger_account a where a.id = p.account_id) = 'merchant:owed'
    group by p.account_id having sum(p.units) < 0);
  if spent <> '{}' then
    perform 1 from ledger_account where id = any (spent) order by id for no key update;
  end if;

  insert into ledger_balance_part as known (account_id, part, units)
  select p.account_id, (select min(entry_id) % 32 from new_posting), sum(p.units)
  from new_posting p group by p.account_id order by p.account_id
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
  -- Not whatever the session looks in first: a temporary table must not stand in for one of ours.
  execute format('alter function post_to_balances() set search_path = %I, pg_temp', current_schema());
end $$;
create trigger ledger_posting_moves_balances after insert on ledger_posting
  referencing new table as new_posting
  for each statement execute function post_to_balances();

create trigger ledger_balance_part_by_postings before insert or update or delete on ledger_balance_part
  for each statement when (pg_trigger_depth() = 0) execute function refuse_change();
create trigger ledger_balance_part_no_truncate before truncate on ledger_balance_part
  for each statement execute function refuse_change();
create trigger ledger_account_immutable before update or delete on ledger_account
  for each row execute function refuse_change();
