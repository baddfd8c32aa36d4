-- Coins that come from inside a call are noticed by what an address holds now and held before. An
-- address therefore has to be looked at once before anybody can have paid it: each of them, in order.
create table evm_first_look (
  chain text not null check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  descriptor text not null,
  looked_to bigint not null check (looked_to >= 0),
  primary key (chain, descriptor)
);
comment on table evm_first_look is 'How far the addresses handed out on an EVM chain have been looked at for the first time.';
comment on column evm_first_look.chain is 'The chain.';
comment on column evm_first_look.descriptor is 'The source of the addresses, as in address_source.';
comment on column evm_first_look.looked_to is 'The index up to which each address was looked at.';
