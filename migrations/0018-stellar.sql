-- What the account on Stellar held when its balances were last found to agree with what was read.

create table stellar_balance (
  chain text not null,
  account text not null check (account ~ '^G[A-Z2-7]{55}$'),
  ledger bigint not null check (ledger > 0),
  asset_ids text[] not null,
  units numeric(78,0)[] not null check (cardinality(units) = cardinality(asset_ids)),
  primary key (chain, account)
);
comment on table stellar_balance is 'Balances of the account that is paid, at the end of a ledger up to which everything was recorded: what came since must explain what is held now. Delete the row only after comparing by hand.';
comment on column stellar_balance.chain is 'The chain.';
comment on column stellar_balance.account is 'Public key of the account.';
comment on column stellar_balance.ledger is 'Ledger at whose end these were the balances.';
comment on column stellar_balance.asset_ids is 'Assets held.';
comment on column stellar_balance.units is 'What was held of each, in units of 10^-7.';
