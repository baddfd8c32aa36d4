-- What moved on the accounts of merchants, summed by day while it is posted: what an account held
-- at any time is then told from days, not from every entry since (decision 104). The sums begin
-- empty and are made in the background; until they have come far enough, reports read entries.
create table ledger_day_follow (
  entry_id bigint not null
);
comment on table ledger_day_follow is 'How far the entries were read that days are summed from: one row.';
comment on column ledger_day_follow.entry_id is 'The last entry that is in the sums: all up to it are.';
insert into ledger_day_follow (entry_id) values (0);

create table ledger_day (
  account_id bigint not null references ledger_account,
  day timestamptz not null check (day = date_trunc('day', day, 'UTC')),
  debited_units numeric(78,0) not null check (debited_units >= 0),
  credited_units numeric(78,0) not null check (credited_units >= 0),
  primary key (account_id, day)
) with (fillfactor = 70);
comment on table ledger_day is 'Postings to the accounts of merchants, summed by day.';
comment on column ledger_day.account_id is 'The account.';
comment on column ledger_day.day is 'Beginning of the day in UTC on which the entries occurred.';
comment on column ledger_day.debited_units is 'Sum of its debits of that day.';
comment on column ledger_day.credited_units is 'Sum of its credits of that day, as a positive number.';
