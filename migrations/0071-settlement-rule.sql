-- Automatic settlement: what a merchant wants done with a balance while nobody is at the keyboard.

create table settlement_rule (
  id text primary key,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  asset_id text not null,
  threshold_units numeric(78,0) check (threshold_units > 0),
  keep_units numeric(78,0) not null check (keep_units >= 0),
  every text check (every in ('DAY', 'WEEK', 'MONTH')),
  day integer,
  hour integer check (hour between 0 and 23),
  zone text,
  convert_to text check (convert_to <> asset_id),
  network text,
  beneficiary_id text references beneficiary,
  api_key text references api_key,
  actor text not null check (btrim(actor) <> ''),
  created_at timestamptz not null,
  seal bytea not null,
  due_at timestamptz not null,
  next_at timestamptz not null,
  paused_at timestamptz,
  deleted_at timestamptz,
  told_code text,
  event_sequence integer not null default 0,
  check (threshold_units > keep_units),
  check (every is not null or threshold_units is not null),
  check ((every is null) = (hour is null) and (every is null) = (zone is null)),
  check (case every when 'WEEK' then coalesce(day between 1 and 7, false)
    when 'MONTH' then coalesce(day between 1 and 31, false) else day is null end),
  check ((network is null) = (beneficiary_id is null)),
  check (convert_to is not null or beneficiary_id is not null),
  check (next_at >= due_at)
);
comment on table settlement_rule is 'What is done with a balance of a merchant by itself: converted, sent to a beneficiary, or both.';
comment on column settlement_rule.id is 'Identifier.';
comment on column settlement_rule.merchant_id is 'Whose balance it is.';
comment on column settlement_rule.environment is 'test or live.';
comment on column settlement_rule.asset_id is 'Of which balance.';
comment on column settlement_rule.threshold_units is 'Nothing is done below it; null: whatever there is.';
comment on column settlement_rule.keep_units is 'What stays in the balance.';
comment on column settlement_rule.every is 'DAY, WEEK or MONTH; null: whenever the threshold is reached.';
comment on column settlement_rule.day is 'Of the week, 1 is Monday; of the month, its last day where it has fewer; null of DAY.';
comment on column settlement_rule.hour is 'Of the day, on the clock of the zone.';
comment on column settlement_rule.zone is 'Time zone by its IANA name.';
comment on column settlement_rule.convert_to is 'Asset that it is converted to first; null: it is not.';
comment on column settlement_rule.network is 'Where it is sent then; null: it stays.';
comment on column settlement_rule.beneficiary_id is 'To whom; null: it stays.';
comment on column settlement_rule.api_key is 'Key that made it: it works as long as that key may move money; null where the operator made it.';
comment on column settlement_rule.actor is 'Who made it.';
comment on column settlement_rule.created_at is 'When.';
comment on column settlement_rule.seal is 'MAC over what is not changed afterwards, under a key outside of the database.';
comment on column settlement_rule.due_at is 'The period that comes next, or that is tried now.';
comment on column settlement_rule.next_at is 'When it is looked at next.';
comment on column settlement_rule.paused_at is 'Nothing is done from then on; null while it works.';
comment on column settlement_rule.deleted_at is 'When it was deleted; the row stays for its runs.';
comment on column settlement_rule.told_code is 'What the merchant was told last of why nothing is done; null after it was.';
comment on column settlement_rule.event_sequence is 'Events told so far.';
create index settlement_rule_due on settlement_rule (next_at)
  where paused_at is null and deleted_at is null;
create index settlement_rule_owner on settlement_rule (merchant_id, environment, created_at, id)
  where deleted_at is null;

create table settlement_run (
  rule_id text not null references settlement_rule,
  due_at timestamptz not null,
  merchant_id text not null references merchant,
  state text not null check (state in ('DONE', 'SKIPPED')),
  units numeric(78,0) check (units > 0),
  swap_id text unique references swap,
  transfer_id text unique references transfer,
  code text,
  reason text,
  looked_at timestamptz not null,
  primary key (rule_id, due_at),
  check ((state = 'DONE') = (units is not null)),
  check ((state = 'SKIPPED') = (code is not null) and (code is null) = (reason is null)),
  check (state = 'DONE' or coalesce(swap_id, transfer_id) is null),
  check (state = 'SKIPPED' or coalesce(swap_id, transfer_id) is not null)
);
comment on table settlement_run is 'What a rule did in one period: one row, so that no period is settled twice.';
comment on column settlement_run.rule_id is 'Which rule.';
comment on column settlement_run.due_at is 'Of which period: when it was due.';
comment on column settlement_run.merchant_id is 'Whose.';
comment on column settlement_run.state is 'DONE, or SKIPPED so far.';
comment on column settlement_run.units is 'What was taken of the balance; null of one that was skipped.';
comment on column settlement_run.swap_id is 'What converted it; null if nothing did.';
comment on column settlement_run.transfer_id is 'What sends it; null if nothing does.';
comment on column settlement_run.code is 'Why it was skipped, for programs.';
comment on column settlement_run.reason is 'Why it was skipped, for people.';
comment on column settlement_run.looked_at is 'When it was tried last.';

alter table event drop constraint event_subject_check;
alter table event add constraint event_subject_check
  check (subject in ('checkout', 'deposit-address', 'refund', 'settlement-rule', 'suspense', 'swap', 'transfer'));
