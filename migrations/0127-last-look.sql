-- What was looked at last of things that answer slowly or elsewhere: who signs, gas accounts, the place
-- of backups. The room of the operator reads it instead of asking them. Acts are found by who did
-- them.
create table last_look (
  kind text not null check (kind in ('signer', 'gas', 'backup')),
  subject text not null,
  ok boolean not null,
  detail text not null,
  looked_at timestamptz not null,
  well_at timestamptz,
  primary key (kind, subject)
);
comment on table last_look is 'How things were found that answer slowly, when they were looked at last.';
comment on column last_look.kind is 'Who signs, the account that pays gas, or the place of backups.';
comment on column last_look.subject is 'Of which chain; of backups: place.';
comment on column last_look.ok is 'Whether it was in order.';
comment on column last_look.detail is 'What it said, in a sentence.';
comment on column last_look.looked_at is 'When.';
comment on column last_look.well_at is 'When it was in order last; null: never since it is looked at.';

create index act_actor on act (actor, id);
