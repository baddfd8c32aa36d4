create table swap (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  state text not null check (state in ('QUOTED', 'COMPLETED', 'FAILED', 'EXPIRED')),
  source_asset_id text not null,
  source_units numeric(78,0) not null check (source_units > 0),
  target_asset_id text not null,
  target_units numeric(78,0) not null check (target_units > 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  rates text not null,
  failure text,
  event_sequence integer not null default 0,
  api_key text references api_key,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  check (source_asset_id <> target_asset_id)
);
comment on table swap is 'A conversion of a merchant''s balance at a quote that lives 60 seconds.';
comment on column swap.id is 'Random id of 12 characters.';
comment on column swap.merchant_id is 'Whose balance.';
comment on column swap.environment is 'test or live.';
comment on column swap.state is 'QUOTED, then COMPLETED, FAILED or EXPIRED.';
comment on column swap.source_asset_id is 'Asset given.';
comment on column swap.source_units is 'Amount given, rounded up when the target was named.';
comment on column swap.target_asset_id is 'Asset received.';
comment on column swap.target_units is 'Amount received after the fee, rounded down when the source was named.';
comment on column swap.fee_units is 'Fee, in the target asset.';
comment on column swap.rates is 'JSON text: rate rows and exact ratio.';
comment on column swap.failure is 'Why it failed.';
comment on column swap.event_sequence is 'Sequence of the last event.';
comment on column swap.api_key is 'Key that made it.';
comment on column swap.created_at is 'When it was quoted.';
comment on column swap.expires_at is 'End of the quote.';
comment on column swap.finished_at is 'When it ended.';
create index swap_merchant on swap (merchant_id, environment, created_at desc, id);
