-- What watching EVM chains has to remember: balances, so that a credit never exceeds what an address
-- really received; and payments on another chain than the one the payer was asked to pay on.

create table evm_balance (
  chain text not null check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  asset_id text not null,
  height bigint not null check (height >= 0),
  units numeric(78,0) not null check (units >= 0),
  primary key (chain, address, asset_id, height)
);
comment on table evm_balance is 'What an address of ours held at a final block: facts that never change, so they may be written before the cursor moves.';
comment on column evm_balance.chain is 'The chain.';
comment on column evm_balance.address is 'The address, in lower case.';
comment on column evm_balance.asset_id is 'The coin or token.';
comment on column evm_balance.height is 'The final block.';
comment on column evm_balance.units is 'Smallest units it held then.';

create table misdirected_receipt (
  receipt_id bigint not null references receipt on delete cascade,
  instruction_id text not null references deposit_instruction,
  primary key (receipt_id, instruction_id)
);
comment on table misdirected_receipt is 'Money in suspense that came to an address of ours on another chain than asked: an address of one EVM chain exists on all of them.';
comment on column misdirected_receipt.receipt_id is 'What arrived.';
comment on column misdirected_receipt.instruction_id is 'The instruction that shows this address, on another chain.';
create index misdirected_receipt_instruction on misdirected_receipt (instruction_id);
