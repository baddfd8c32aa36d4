-- The counter of a shop: what is sold there again and again, and browsers that show nothing else.
create table counter_item (
  id text primary key,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  price numeric not null check (price > 0),
  currency text not null,
  created_at timestamptz not null
);
comment on table counter_item is 'What a shop sells at its counter, saved so that nobody types it.';
comment on column counter_item.id is 'Ours.';
comment on column counter_item.merchant_id is 'Whose it is.';
comment on column counter_item.environment is 'live or test.';
comment on column counter_item.name is 'As it stands on the bill.';
comment on column counter_item.price is 'Of one.';
comment on column counter_item.currency is 'Currency of the price.';
comment on column counter_item.created_at is 'When it was saved.';
create index counter_item_of_merchant on counter_item (merchant_id, environment, name, id);

alter table staff_session add column kiosk text;
comment on column staff_session.kiosk is 'Path of the point of sale that this browser shows alone, until a proof who is there; null: everything.';
