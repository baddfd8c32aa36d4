-- What waits for a second person before it is sent, and who approved it.

create table approval (
  subject text primary key,
  environment text not null check (environment in ('test', 'live')),
  merchant_id text references merchant (id),
  about text not null,
  digest bytea not null,
  maker text,
  asked_at timestamptz not null,
  approver text check (btrim(approver) <> ''),
  approved_at timestamptz,
  seal bytea,
  check ((approver is null) = (approved_at is null) and (approver is null) = (seal is null)),
  constraint approval_by_another check (lower(btrim(approver)) <> lower(btrim(maker)))
);
comment on table approval is 'An act above the limit of one person, which waits for a second one or was approved.';
comment on column approval.subject is 'What it is: transfer:ID.';
comment on column approval.environment is 'test or live.';
comment on column approval.merchant_id is 'Whose money; null of the house.';
comment on column approval.about is 'What is shown to whoever approves: amount and receiver.';
comment on column approval.digest is 'Of what is approved: when that changes, it is asked for again.';
comment on column approval.maker is 'Who made it, and never approves it; null where nobody is known.';
comment on column approval.asked_at is 'When it began to wait.';
comment on column approval.approver is 'Who approved it.';
comment on column approval.approved_at is 'When.';
comment on column approval.seal is 'Under a key outside the database: nobody approves by writing a row.';
create index approval_open on approval (environment, asked_at) where approver is null;
