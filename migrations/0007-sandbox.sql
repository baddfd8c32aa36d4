-- Simulated chains. They behave like real ones towards the Network port: blocks, a mempool,
-- replacement, reorganisation, memos, instant settlement for Lightning.

create table sandbox_chain (
  chain text primary key,
  frozen_until timestamptz,
  next_block_at timestamptz not null,
  fork integer not null default 0
);
comment on table sandbox_chain is 'One row a simulated chain.';
comment on column sandbox_chain.chain is 'The chain (test:NETWORK).';
comment on column sandbox_chain.frozen_until is 'No blocks are made and the node does not answer until then.';
comment on column sandbox_chain.next_block_at is 'When the next block is due.';
comment on column sandbox_chain.fork is 'Rises with each reorganisation, so that new blocks get new hashes.';

create table sandbox_block (
  chain text not null references sandbox_chain,
  height bigint not null check (height >= 0),
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  primary key (chain, height)
);
comment on table sandbox_block is 'The best branch; a reorganisation replaces rows.';
comment on column sandbox_block.chain is 'The chain.';
comment on column sandbox_block.height is 'Height.';
comment on column sandbox_block.hash is 'Hash.';
comment on column sandbox_block.parent_hash is 'Hash of the block below.';
comment on column sandbox_block.mined_at is 'When it was made.';

create table sandbox_transfer (
  id bigint generated always as identity primary key,
  chain text not null references sandbox_chain,
  transaction text not null,
  position integer not null,
  spends text[] not null,
  destination text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  state text not null check (state in ('MEMPOOL', 'MINED', 'REPLACED', 'DROPPED')),
  block_height bigint,
  mine_after timestamptz,
  created_at timestamptz not null,
  unique (chain, transaction, position),
  check ((state = 'MINED') = (block_height is not null))
);
comment on table sandbox_transfer is 'Payments on simulated chains.';
comment on column sandbox_transfer.id is 'Row number.';
comment on column sandbox_transfer.chain is 'The chain.';
comment on column sandbox_transfer.transaction is 'Transaction hash.';
comment on column sandbox_transfer.position is 'Output, operation or log number.';
comment on column sandbox_transfer.spends is 'Outpoints spent, to show replacement.';
comment on column sandbox_transfer.destination is 'Where it pays, in canonical form.';
comment on column sandbox_transfer.asset_id is 'Asset.';
comment on column sandbox_transfer.units is 'Smallest units.';
comment on column sandbox_transfer.state is 'Where it stands.';
comment on column sandbox_transfer.block_height is 'Height of its block.';
comment on column sandbox_transfer.mine_after is 'Not mined before then.';
comment on column sandbox_transfer.created_at is 'When it was sent.';
create index sandbox_transfer_block on sandbox_transfer (chain, block_height);
create index sandbox_transfer_mempool on sandbox_transfer (chain) where state = 'MEMPOOL';
