-- Searches of the checkouts that people of a shop keep under a name.
create table saved_view (
  id text primary key,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('live', 'test')),
  person_id text references person,
  name text not null check (name <> ''),
  asked text not null,
  created_at timestamptz not null
);
comment on table saved_view is 'Searches of the checkouts that people of a shop keep under a name.';
comment on column saved_view.id is 'Ours.';
comment on column saved_view.merchant_id is 'Of which shop.';
comment on column saved_view.environment is 'live or test.';
comment on column saved_view.person_id is 'Who alone sees it; null: everybody of the shop.';
comment on column saved_view.name is 'What it is called.';
comment on column saved_view.asked is 'What is asked for, as the address of the page says it.';
comment on column saved_view.created_at is 'When it was first kept.';
create index saved_view_of_shop on saved_view (merchant_id, environment, person_id);
