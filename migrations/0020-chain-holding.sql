-- What a chain says that we hold, beside what the ledger says.

create table chain_holding (
  chain text not null check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  asset_id text not null,
  held_units numeric(78,0) not null check (held_units >= 0),
  custody_units numeric(78,0) not null,
  checked_at timestamptz not null,
  primary key (chain, asset_id)
);
comment on table chain_holding is 'The last comparison of each chain with its custody account; written anew each time.';
comment on column chain_holding.chain is 'The chain.';
comment on column chain_holding.asset_id is 'The asset.';
comment on column chain_holding.held_units is 'Smallest units that the chain shows at the destinations we watch.';
comment on column chain_holding.custody_units is 'Balance of the custody account at that moment.';
comment on column chain_holding.checked_at is 'When both were read.';
