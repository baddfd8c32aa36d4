-- What conversions leave open, and how the house closes it (decision 44).

create table hedge_order (
  id text primary key,
  environment text not null check (environment in ('test', 'live')),
  provider text not null check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  give_asset_id text not null,
  give_units numeric(78,0) not null check (give_units > 0),
  get_asset_id text not null,
  closes_units numeric(78,0) not null check (closes_units > 0),
  state text not null check (state in ('RESERVED', 'ORDERED', 'COMPLETED', 'CANCELLED')),
  cause_key text,
  client_order_id text unique,
  filled_units numeric(78,0) not null default 0,
  closed_units numeric(78,0) not null default 0,
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  reserved_at timestamptz not null,
  ordered_by text,
  ordered_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  ended_at timestamptz,
  check (give_asset_id <> get_asset_id),
  check ((client_order_id is null) = (ordered_at is null)
    and (ordered_by is null) = (ordered_at is null)),
  check ((cancelled_by is null) = (cancel_reason is null)
    and (state <> 'CANCELLED' or cancelled_by is not null)),
  check (ordered_at is not null or filled_units = 0),
  constraint hedge_order_filled check (
    filled_units between 0 and give_units and closed_units between 0 and closes_units),
  constraint hedge_order_completed check (
    (state = 'COMPLETED') = (filled_units = give_units)
    and (state <> 'COMPLETED' or closed_units = closes_units)),
  check ((ended_at is not null) = (state in ('COMPLETED', 'CANCELLED')))
);
comment on table hedge_order is 'An order of the house that closes a part of what conversions left open.';
comment on column hedge_order.id is 'Identifier.';
comment on column hedge_order.environment is 'test or live.';
comment on column hedge_order.provider is 'Where it is carried out, as the operator calls it.';
comment on column hedge_order.give_asset_id is 'What is sold: the house took it in conversions.';
comment on column hedge_order.give_units is 'How much of it.';
comment on column hedge_order.get_asset_id is 'What is bought: the house promised it in conversions.';
comment on column hedge_order.closes_units is 'How much of what was promised the order closes; what fills bring beside it is gain or loss.';
comment on column hedge_order.state is 'RESERVED, ORDERED, COMPLETED, CANCELLED (with what was filled).';
comment on column hedge_order.cause_key is 'Entry of the ledger that converted, where a policy hedges at once; null where a person ordered.';
comment on column hedge_order.client_order_id is 'How the provider is to know it again; stored before it is sent.';
comment on column hedge_order.filled_units is 'Sum of what fills sold.';
comment on column hedge_order.closed_units is 'Sum of what fills closed of the promise.';
comment on column hedge_order.actor is 'Who ordered it, or the policy.';
comment on column hedge_order.reason is 'Why.';
comment on column hedge_order.reserved_at is 'When it was made.';
comment on column hedge_order.ordered_by is 'Who gave it to the provider.';
comment on column hedge_order.ordered_at is 'When it was given to the provider.';
comment on column hedge_order.cancelled_by is 'Who gave it up; null if nobody did.';
comment on column hedge_order.cancel_reason is 'Why it was given up.';
comment on column hedge_order.ended_at is 'When it was filled in full, or given up.';
create unique index hedge_order_cause on hedge_order (cause_key) where cause_key is not null;
create index hedge_order_open on hedge_order (environment, reserved_at)
  where state in ('RESERVED', 'ORDERED');

create table hedge_fill (
  order_id text not null references hedge_order,
  fill_id text not null check (fill_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  sold_units numeric(78,0) not null check (sold_units > 0),
  got_units numeric(78,0) not null check (got_units > 0),
  closed_units numeric(78,0) not null check (closed_units >= 0),
  fee_asset_id text,
  fee_units numeric(78,0) check (fee_units > 0),
  actor text not null check (btrim(actor) <> ''),
  booked_at timestamptz not null,
  undone_by text,
  undone_reason text,
  undone_at timestamptz,
  primary key (order_id, fill_id),
  check ((fee_asset_id is null) = (fee_units is null)),
  check ((undone_at is null) = (undone_by is null) and (undone_at is null) = (undone_reason is null))
);
comment on table hedge_fill is 'A part of an order that was carried out.';
comment on column hedge_fill.order_id is 'Of the order.';
comment on column hedge_fill.fill_id is 'How the provider calls it: the same part is booked once.';
comment on column hedge_fill.sold_units is 'What was given, in the asset that the order sells.';
comment on column hedge_fill.got_units is 'What was received for it, before the fee.';
comment on column hedge_fill.closed_units is 'Which part of the promise it closes; the rest is gain or loss.';
comment on column hedge_fill.fee_asset_id is 'In what the provider took its fee; null without one.';
comment on column hedge_fill.fee_units is 'What the provider took.';
comment on column hedge_fill.actor is 'Who entered it.';
comment on column hedge_fill.booked_at is 'When it was entered.';
comment on column hedge_fill.undone_by is 'Who took it back, because it was entered wrongly.';
comment on column hedge_fill.undone_reason is 'Why.';
comment on column hedge_fill.undone_at is 'When it was taken back.';

create table provider_move (
  id text primary key,
  environment text not null check (environment in ('test', 'live')),
  provider text not null check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  direction text not null check (direction in ('TO', 'FROM')),
  network text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  reference text not null check (reference ~ '^\S{1,200}$'),
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  sent_at timestamptz not null,
  arrived_units numeric(78,0),
  arrived_by text,
  arrived_at timestamptz,
  constraint provider_move_reference unique (environment, provider, reference),
  check (arrived_units between 0 and units),
  check ((arrived_at is null) = (arrived_units is null)
    and (arrived_at is null) = (arrived_by is null))
);
comment on table provider_move is 'Money on its way between what the operator holds and a provider.';
comment on column provider_move.id is 'Identifier.';
comment on column provider_move.environment is 'test or live.';
comment on column provider_move.provider is 'As the operator calls it.';
comment on column provider_move.direction is 'TO the provider or FROM it.';
comment on column provider_move.network is 'Over which it goes: its account outside:NETWORK is the other side.';
comment on column provider_move.asset_id is 'What is moved.';
comment on column provider_move.units is 'What left.';
comment on column provider_move.reference is 'Transaction, or how the provider calls it: the same move is booked once.';
comment on column provider_move.actor is 'Who entered it.';
comment on column provider_move.reason is 'Why.';
comment on column provider_move.sent_at is 'When it was entered.';
comment on column provider_move.arrived_units is 'What came of it; the rest was the fee of the provider or network.';
comment on column provider_move.arrived_by is 'Who said that it arrived.';
comment on column provider_move.arrived_at is 'When that was said.';
create index provider_move_open on provider_move (environment, sent_at) where arrived_at is null;

create table conversion_policy (
  environment text not null check (environment in ('test', 'live')),
  from_asset_id text not null,
  to_asset_id text not null,
  mode text not null check (mode in ('WITHIN_LIMIT', 'AT_ONCE', 'REFUSE')),
  provider text check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  spread_parts_per_million integer not null check (spread_parts_per_million between 0 and 200000),
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  set_at timestamptz not null,
  primary key (environment, from_asset_id, to_asset_id),
  check ((mode = 'AT_ONCE') = (provider is not null))
);
comment on table conversion_policy is 'How the house treats conversions of one pair of assets; without a row: within the limit, without a spread.';
comment on column conversion_policy.environment is 'test or live.';
comment on column conversion_policy.from_asset_id is 'What is taken; * is any.';
comment on column conversion_policy.to_asset_id is 'What is promised; * is any.';
comment on column conversion_policy.mode is 'WITHIN_LIMIT (hedged later), AT_ONCE (an order with each conversion) or REFUSE.';
comment on column conversion_policy.provider is 'Where orders are carried out that are made at once.';
comment on column conversion_policy.spread_parts_per_million is 'What a customer pays on top for the price that is held for him.';
comment on column conversion_policy.actor is 'Who set it.';
comment on column conversion_policy.reason is 'Why.';
comment on column conversion_policy.set_at is 'When it was set.';

create trigger hedge_fill_stays before delete on hedge_fill
  for each row execute function refuse_change();
create trigger hedge_fill_is_kept before truncate on hedge_fill
  for each statement execute function refuse_change();
create trigger hedge_fill_unchanged
  before update of order_id, fill_id, sold_units, got_units, closed_units, fee_asset_id, fee_units
  on hedge_fill for each row execute function refuse_change();
create trigger provider_move_stays before delete on provider_move
  for each row execute function refuse_change();
create trigger provider_move_is_kept before truncate on provider_move
  for each statement execute function refuse_change();
create trigger provider_move_unchanged
  before update of id, environment, provider, direction, network, asset_id, units, reference
  on provider_move for each row execute function refuse_change();
