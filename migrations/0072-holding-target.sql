-- How much of an asset is to lie at addresses that are watched, and how much elsewhere.

create table holding_target (
  environment text not null check (environment in ('test', 'live')),
  network text not null,
  asset_id text not null,
  least_units numeric(78,0) not null check (least_units >= 0),
  target_units numeric(78,0) not null,
  most_units numeric(78,0) not null,
  actor text not null check (btrim(actor) <> ''),
  reason text not null check (btrim(reason) <> ''),
  set_at timestamptz not null,
  primary key (environment, network, asset_id),
  check (target_units between least_units and most_units)
);
comment on table holding_target is 'How much of an asset the operator wants at watched addresses of a network; the rest belongs elsewhere.';
comment on column holding_target.environment is 'test or live.';
comment on column holding_target.network is 'Of which network.';
comment on column holding_target.asset_id is 'Of which asset.';
comment on column holding_target.least_units is 'Below it money is to be brought back.';
comment on column holding_target.target_units is 'What is to be there after a move.';
comment on column holding_target.most_units is 'Above it money is to be put away.';
comment on column holding_target.actor is 'Who said so.';
comment on column holding_target.reason is 'Why.';
comment on column holding_target.set_at is 'When.';
