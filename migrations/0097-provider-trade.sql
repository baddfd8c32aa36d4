-- A trade in the account at an exchange that carried out no order of the house, on the word of a
-- person: what was given and what came are both booked.
create table provider_trade (
  id text primary key,
  environment text not null check (environment in ('test', 'live')),
  provider text not null check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  symbol text not null,
  trade_id text not null check (trade_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  traded_at timestamptz not null,
  sold_asset_id text not null,
  sold_units numeric(78,0) not null check (sold_units > 0),
  got_asset_id text not null,
  got_units numeric(78,0) not null check (got_units >= 0),
  fee_asset_id text,
  fee_units numeric(78,0) check (fee_units > 0),
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  booked_at timestamptz not null,
  constraint provider_trade_name unique (environment, provider, symbol, trade_id),
  check ((fee_asset_id is null) = (fee_units is null)),
  check (sold_asset_id <> got_asset_id)
);
comment on table provider_trade is 'A trade at a provider that carried out no order of the house.';
comment on column provider_trade.id is 'Identifier.';
comment on column provider_trade.environment is 'test or live.';
comment on column provider_trade.provider is 'As the operator calls it.';
comment on column provider_trade.symbol is 'The market, as the provider calls it: ids may be alike in two.';
comment on column provider_trade.trade_id is 'How the provider calls it: the same trade is booked once.';
comment on column provider_trade.traded_at is 'When it happened there.';
comment on column provider_trade.sold_asset_id is 'What was given.';
comment on column provider_trade.sold_units is 'How much, rounded up.';
comment on column provider_trade.got_asset_id is 'What came for it.';
comment on column provider_trade.got_units is 'How much, before the fee, rounded down.';
comment on column provider_trade.fee_asset_id is 'In what the provider took its fee; null without one.';
comment on column provider_trade.fee_units is 'What the provider took.';
comment on column provider_trade.actor is 'Who explained it.';
comment on column provider_trade.reason is 'Why.';
comment on column provider_trade.booked_at is 'When it was explained and booked.';
create trigger provider_trade_immutable before update or delete on provider_trade
  for each row execute function refuse_change();
create trigger provider_trade_is_kept before truncate on provider_trade
  for each statement execute function refuse_change();
