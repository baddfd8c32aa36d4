-- People order in the dashboard what keys order through the API: who it was, and each form once.
alter table transfer add column maker text;
comment on column transfer.maker is 'A person who made it, as the trail names him; null where a key or the service did. Part of the seal.';
alter table swap add column maker text;
comment on column swap.maker is 'A person who made it, as the trail names him; null where a key or the service did.';

create table form_order (
  actor text not null,
  token text not null,
  digest bytea not null,
  made text not null,
  ordered_at timestamptz not null,
  primary key (actor, token)
);
comment on table form_order is 'Forms that people sent and that were carried out: none is a second time.';
comment on column form_order.actor is 'Who sent it, as the trail names him.';
comment on column form_order.token is 'Which form: each page that shows one gives it another token.';
comment on column form_order.digest is 'SHA-256 of what it said, and where.';
comment on column form_order.made is 'What was made of it, for whoever sends it again.';
comment on column form_order.ordered_at is 'When; kept for 30 days.';
create index form_order_oldest on form_order (ordered_at);
