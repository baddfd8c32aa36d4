-- What a chain shows that the ledger has no entry of yet is neither missing nor too much.
alter table chain_holding add column under_way_units numeric(78,0) not null default 0;
alter table chain_holding alter column under_way_units drop default;
comment on column chain_holding.under_way_units is 'What blocks show and no entry stands for yet: what came less what left, so that the chain should show this and the balance of the custody account together.';
