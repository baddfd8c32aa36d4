-- Who did what with money on its way out, in the order in which it was done, and the seals over it.

create table act (
  id bigint generated always as identity primary key,
  acted_at timestamptz not null,
  actor text not null check (btrim(actor) <> ''),
  verb text not null check (verb ~ '^[a-z]+(-[a-z]+)*$'),
  subject text not null check (subject <> ''),
  environment text check (environment in ('test', 'live')),
  merchant_id text,
  details text not null
);
comment on table act is 'Acts around money that goes out: who, what, when. Rows are only added.';
comment on column act.id is 'Number.';
comment on column act.acted_at is 'When.';
comment on column act.actor is 'A key, a name at the command line, the payer, the signer, or the service itself.';
comment on column act.verb is 'What was done, such as transfer-commit.';
comment on column act.subject is 'With what, such as transfer:ID.';
comment on column act.environment is 'test or live; null of what is of no environment.';
comment on column act.merchant_id is 'Whose money; null of the house.';
comment on column act.details is 'JSON: amounts, receivers, reasons.';
create index act_subject on act (subject, id);
create index act_merchant on act (merchant_id, id);

create table act_seal (
  number bigint primary key,
  last_act bigint not null unique,
  act_count integer not null check (act_count > 0),
  hash bytea not null,
  sealed_at timestamptz not null
);
comment on table act_seal is 'A chain over the acts in their order, each link under a key outside the database.';
comment on column act_seal.number is '1, 2, 3 …';
comment on column act_seal.last_act is 'The last act that it covers; it begins after that of the seal before.';
comment on column act_seal.act_count is 'How many it covers.';
comment on column act_seal.hash is 'Of the hash before and of each act.';
comment on column act_seal.sealed_at is 'When.';

create trigger act_unchanged before update or delete on act
  for each row execute function refuse_change();
create trigger act_is_kept before truncate on act
  for each statement execute function refuse_change();
create trigger act_seal_unchanged before update or delete on act_seal
  for each row execute function refuse_change();
create trigger act_seal_is_kept before truncate on act_seal
  for each statement execute function refuse_change();
