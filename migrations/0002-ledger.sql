-- Double entry. Units are signed: a debit is positive, a credit negative, and an entry sums to zero
-- per asset. The rules are constraints, so that the database and not the code path makes them true
-- (reliability-security invariants L1 to L7, L12).

create table ledger_account (
  id bigint generated always as identity primary key,
  environment text not null check (environment in ('test', 'live')),
  merchant_id text references merchant,
  code text not null check (code ~ '^[a-z-]+(:[A-Za-z0-9_-]+)?$'),
  asset_id text not null,
  balance_units numeric(78,0) not null default 0,
  negative_since_entry bigint,
  unique (id, asset_id),
  check ((merchant_id is not null) = (code like 'merchant:%'))
);
-- Accounts are found by this key on every posting, so it must be one that an index scan can use:
-- `is not distinct from` cannot.
create unique index ledger_account_natural_key
  on ledger_account (environment, coalesce(merchant_id, ''), code, asset_id);
comment on table ledger_account is 'An account of one asset; see docs/money.md for the chart of accounts.';
comment on column ledger_account.id is 'Row number.';
comment on column ledger_account.environment is 'test or live.';
comment on column ledger_account.merchant_id is 'Owner of a merchant account; null for accounts of the house.';
comment on column ledger_account.code is 'merchant:available, merchant:pending, merchant:reserved; of the house: custody:NETWORK, suspense:NETWORK, dust, fees, network-fees, exchange, rounding.';
comment on column ledger_account.asset_id is 'The one asset it holds.';
comment on column ledger_account.balance_units is 'Sum of all its postings, kept in the transaction that posts (debit positive).';
comment on column ledger_account.negative_since_entry is 'The reversal entry that took a merchant account below zero; cleared when it is back at zero or above.';

create table ledger_entry (
  id bigint generated always as identity primary key,
  cause_key text not null unique,
  kind text not null,
  environment text not null check (environment in ('test', 'live')),
  merchant_id text references merchant,
  subject_id text,
  corrects_entry bigint references ledger_entry,
  evidence text,
  occurred_at timestamptz not null,
  check (corrects_entry < id)
);
alter table ledger_account add foreign key (negative_since_entry) references ledger_entry;
comment on table ledger_entry is 'One business act: append-only, corrected only by another entry.';
comment on column ledger_entry.id is 'Row number; gaps are possible.';
comment on column ledger_entry.cause_key is 'What caused it; unique, so posting twice is impossible (L7).';
comment on column ledger_entry.kind is 'Name of the business act, the function in *-entries.ts that made it.';
comment on column ledger_entry.environment is 'test or live.';
comment on column ledger_entry.merchant_id is 'The merchant concerned, if one is.';
comment on column ledger_entry.subject_id is 'Id of the checkout, transfer ... it belongs to.';
comment on column ledger_entry.corrects_entry is 'The entry that this one reverses or corrects.';
comment on column ledger_entry.evidence is 'JSON text: rate, sources and times of a conversion (L8).';
comment on column ledger_entry.occurred_at is 'Business time of the act.';
create index ledger_entry_subject on ledger_entry (subject_id) where subject_id is not null;
create index ledger_entry_merchant on ledger_entry (merchant_id, id);
create index ledger_entry_corrects on ledger_entry (corrects_entry) where corrects_entry is not null;

create table ledger_posting (
  entry_id bigint not null references ledger_entry,
  position smallint not null check (position >= 1),
  account_id bigint not null,
  asset_id text not null,
  units numeric(78,0) not null
    check (units <> 0 and abs(units) < 57896044618658097711785492504343953926634992332820282019728792003956564819968),
  primary key (entry_id, position),
  foreign key (account_id, asset_id) references ledger_account (id, asset_id)
);
comment on table ledger_posting is 'The lines of an entry.';
comment on column ledger_posting.entry_id is 'The entry.';
comment on column ledger_posting.position is 'Line number.';
comment on column ledger_posting.account_id is 'The account.';
comment on column ledger_posting.asset_id is 'Asset of the account, repeated so that the foreign key proves they agree (L2).';
comment on column ledger_posting.units is 'Smallest units of the asset; debit positive, credit negative, never zero.';
create index ledger_posting_account on ledger_posting (account_id, entry_id);

create table ledger_seal (
  number bigint primary key check (number >= 1),
  last_entry bigint not null unique references ledger_entry,
  entry_count integer not null check (entry_count > 0),
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  sealed_at timestamptz not null
);
comment on table ledger_seal is 'Hash chain over batches of entries: a changed or removed row breaks it (L11).';
comment on column ledger_seal.number is 'Position in the chain, without gaps.';
comment on column ledger_seal.last_entry is 'Highest entry of the batch: it holds every entry above the last one of the seal before.';
comment on column ledger_seal.entry_count is 'How many entries the batch seals.';
comment on column ledger_seal.previous_hash is 'Hash of the seal before; zeros for the first.';
comment on column ledger_seal.hash is 'SHA-256 over previous_hash and the canonical text of the entries.';
comment on column ledger_seal.sealed_at is 'When it was sealed.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only';
end $$;
create trigger ledger_entry_immutable before update or delete on ledger_entry
  for each row execute function refuse_change();
create trigger ledger_posting_immutable before update or delete on ledger_posting
  for each row execute function refuse_change();
create trigger ledger_seal_immutable before update or delete on ledger_seal
  for each row execute function refuse_change();
create trigger ledger_entry_no_truncate before truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger ledger_posting_no_truncate before truncate on ledger_posting
  for each statement execute function refuse_change();
create trigger ledger_seal_no_truncate before truncate on ledger_seal
  for each statement execute function refuse_change();
create trigger ledger_account_no_truncate before truncate on ledger_account
  for each statement execute function refuse_change();

-- L1, L2: at commit every entry has two postings or more and sums to zero in each asset.
create function check_entry_balances() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(asset.lines), 0) < 2 or bool_or(asset.units <> 0)
      from (select count(*) as lines, sum(units) as units from ledger_posting
            where entry_id = new.id group by asset_id) asset) then
    raise exception 'ledger entry % does not balance', new.id
      using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on ledger_entry
  deferrable initially deferred for each row execute function check_entry_balances();

-- A posting may only be added in the transaction that made its entry: a later pair of lines would
-- balance too, and would change what was sealed. The entry is looked up in a scalar sub-query
-- because that is always an index scan: a join becomes a scan of the whole ledger once it was planned
-- for a large batch (measured at 20,000 entries: 385 instead of 1,552 postings per second).
create function check_postings_are_of_new_entries() returns trigger language plpgsql as $$
begin
  if exists (select 1 from new_posting p
             where (select e.xmin from ledger_entry e where e.id = p.entry_id)
                   is distinct from pg_current_xact_id()::xid) then
    raise exception 'a ledger entry is closed when its transaction is over'
      using errcode = 'check_violation', constraint = 'ledger_entry_closed';
  end if;
  return null;
end $$;
create trigger ledger_posting_of_new_entry after insert on ledger_posting
  referencing new table as new_posting
  for each statement execute function check_postings_are_of_new_entries();

-- L6: a merchant account is a credit account: its balance is at most zero (debit positive) unless a
-- reversal made it so.
alter table ledger_account add constraint ledger_account_not_overdrawn
  check (merchant_id is null or balance_units <= 0 or negative_since_entry is not null);
