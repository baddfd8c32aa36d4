-- How much a merchant may send out: in 24 hours, by one person, and at once to a free address.

create table spending_limit (
  kind text not null check (kind in ('DAY', 'TWO_PEOPLE', 'COOL_DOWN')),
  environment text not null check (environment in ('test', 'live')),
  merchant_id text references merchant (id),
  measure text not null,
  most_units numeric(78,0) not null check (most_units >= 0),
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  set_at timestamptz not null
);
create unique index spending_limit_key
  on spending_limit (environment, coalesce(merchant_id, ''), kind, measure);
comment on table spending_limit is 'How much a merchant may send out, as the operator set it or the merchant lowered it.';
comment on column spending_limit.kind is 'DAY (in any 24 hours), TWO_PEOPLE (above it two approve one act), COOL_DOWN (above it a refund to a free address waits a day).';
comment on column spending_limit.environment is 'test or live.';
comment on column spending_limit.merchant_id is 'Whose; null is of every merchant, each for itself.';
comment on column spending_limit.measure is 'An asset, of which so much; or a currency, of all assets so much in value.';
comment on column spending_limit.most_units is 'In the smallest units of the asset or currency.';
comment on column spending_limit.actor is 'Who set it.';
comment on column spending_limit.reason is 'Why.';
comment on column spending_limit.set_at is 'When it was set.';

-- What a merchant sent out since a moment is summed from these entries alone.
create index ledger_entry_spent on ledger_entry (merchant_id, environment, occurred_at)
  where kind in ('transfer-reserve', 'refund-reserve', 'swap');
