-- Assets that conversions are promised in only while they are really held.

create table liquidity_policy (
  environment text not null check (environment in ('test', 'live')),
  asset_id text not null,
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  set_at timestamptz not null,
  primary key (environment, asset_id)
);
comment on table liquidity_policy is 'Assets that are promised to whoever converts only while so much of them is held and owed to nobody.';
comment on column liquidity_policy.environment is 'test or live.';
comment on column liquidity_policy.asset_id is 'What is promised; * is any asset.';
comment on column liquidity_policy.actor is 'Who said so.';
comment on column liquidity_policy.reason is 'Why.';
comment on column liquidity_policy.set_at is 'When.';
