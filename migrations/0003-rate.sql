create table rate (
  id bigint generated always as identity primary key,
  environment text not null check (environment in ('test', 'live')),
  code text not null,
  usd_price numeric(50,20) not null check (usd_price > 0),
  spread_parts_per_million integer not null,
  evidence text not null,
  observed_at timestamptz not null
);
comment on table rate is 'Every price that was used or could have been used for a quote, with its evidence.';
comment on column rate.id is 'Row number, named by quotes.';
comment on column rate.environment is 'test prices come from the reference table, live ones from sources.';
comment on column rate.code is 'Asset or currency code (BTC, EUR).';
comment on column rate.usd_price is 'Median price of one whole unit in US dollars.';
comment on column rate.spread_parts_per_million is 'Distance of the surviving sources from each other.';
comment on column rate.evidence is 'JSON text: each source with value and time, which were dropped and why.';
comment on column rate.observed_at is 'When the median was taken.';
create index rate_latest on rate (environment, code, observed_at desc);
