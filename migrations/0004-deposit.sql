-- What payers were asked for, and what arrived. A chain is one network in one environment, written
-- `<environment>:<network>`, for example `test:LITECOIN`.

create table chain_cursor (
  chain text primary key check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  height bigint not null check (height >= 0),
  hash text not null,
  tip_height bigint not null,
  heard_at timestamptz not null,
  brake text,
  identity text not null
);
comment on table chain_cursor is 'How far each chain has been read; moves in the transaction that records the facts (R8).';
comment on column chain_cursor.chain is 'The chain.';
comment on column chain_cursor.height is 'Height of the last block recorded.';
comment on column chain_cursor.hash is 'Its hash.';
comment on column chain_cursor.tip_height is 'Height the node reported last.';
comment on column chain_cursor.heard_at is 'When the node last answered.';
comment on column chain_cursor.brake is 'Why finality is held back, if it is.';
comment on column chain_cursor.identity is 'Genesis hash or chain id: a node of another chain is refused.';

create table chain_block (
  chain text not null references chain_cursor on delete cascade,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (chain, height)
);
comment on table chain_block is 'Recent blocks of the branch we follow, to find the common ancestor after a reorganisation.';
comment on column chain_block.chain is 'The chain.';
comment on column chain_block.height is 'Height.';
comment on column chain_block.hash is 'Hash.';
comment on column chain_block.parent_hash is 'Hash of the block below.';
comment on column chain_block.mined_at is 'Time the block states.';
comment on column chain_block.seen_at is 'When we recorded it.';

create table address_source (
  id bigint generated always as identity primary key,
  chain text not null,
  descriptor text not null,
  next_index bigint not null default 0 check (next_index >= 0),
  created_at timestamptz not null,
  unique (chain, descriptor)
);
comment on table address_source is 'Where fresh destinations come from; the index only grows (AD2).';
comment on column address_source.id is 'Row number.';
comment on column address_source.chain is 'The chain.';
comment on column address_source.descriptor is 'Public descriptor (extended public key), account with memo numbers, or node.';
comment on column address_source.next_index is 'Next derivation index, memo or tag.';
comment on column address_source.created_at is 'When it was configured first.';

create function refuse_smaller_index() returns trigger language plpgsql as $$
begin
  if new.next_index < old.next_index then
    raise exception 'a derivation index never goes back'
      using errcode = 'check_violation', constraint = 'address_source_index_grows';
  end if;
  return new;
end $$;
create trigger address_source_index_grows before update on address_source
  for each row execute function refuse_smaller_index();

create table deposit_instruction (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  chain text not null,
  merchant_id text not null references merchant,
  purpose text not null check (purpose in ('checkout', 'deposit-address')),
  purpose_id text not null,
  asset_id text not null,
  destination text not null,
  address text not null,
  memo text,
  memo_type text,
  destination_tag bigint check (destination_tag between 0 and 4294967295),
  source_id bigint references address_source,
  source_index bigint,
  integrity_mac bytea not null,
  created_at timestamptz not null,
  unique (chain, destination),
  unique (purpose, purpose_id, chain, asset_id),
  unique (source_id, source_index)
);
comment on table deposit_instruction is 'What was shown to a payer. Watched for ever, never reused (R7, AD1, I3).';
comment on column deposit_instruction.id is 'Random id of 12 characters.';
comment on column deposit_instruction.chain is 'The chain to pay on.';
comment on column deposit_instruction.merchant_id is 'Who is credited.';
comment on column deposit_instruction.purpose is 'What kind of thing asked for it.';
comment on column deposit_instruction.purpose_id is 'Id of that thing.';
comment on column deposit_instruction.asset_id is 'Asset asked for.';
comment on column deposit_instruction.destination is 'What observations are matched by: address, address and memo, or payment hash, in the canonical form of the network.';
comment on column deposit_instruction.address is 'Address or invoice shown.';
comment on column deposit_instruction.memo is 'Memo shown, where the network needs one.';
comment on column deposit_instruction.memo_type is 'Type of the memo (text).';
comment on column deposit_instruction.destination_tag is 'Destination tag (XRP Ledger); 0 is a tag.';
comment on column deposit_instruction.source_id is 'Where the destination came from.';
comment on column deposit_instruction.source_index is 'Derivation index, memo or tag number.';
comment on column deposit_instruction.integrity_mac is 'MAC over id, chain, destination, address and memo: a changed row is never shown.';
comment on column deposit_instruction.created_at is 'When it was handed out.';

create table receipt (
  id bigint generated always as identity primary key,
  chain text not null,
  credit_key text not null,
  instruction_id text references deposit_instruction,
  merchant_id text references merchant,
  purpose text,
  purpose_id text,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  transaction text not null,
  destination text not null,
  spends text[] not null default '{}',
  status text not null check (status in ('SEEN', 'INCLUDED', 'FINAL', 'GONE')),
  generation integer not null default 1 check (generation >= 1),
  seen_at timestamptz not null,
  block_height bigint,
  block_hash text,
  mined_at timestamptz,
  confirmations_required integer check (confirmations_required >= 0),
  final_at timestamptz,
  gone_at timestamptz,
  gone_height bigint,
  replaced_by text,
  conflict_height bigint,
  credited_generation integer,
  reversed_generation integer,
  unique (chain, credit_key),
  check ((status in ('INCLUDED', 'FINAL')) = (block_height is not null)),
  check (credited_generation is null or credited_generation <= generation),
  check (reversed_generation is null or reversed_generation <= credited_generation)
);
comment on table receipt is 'A payment as observed on a chain: a fact, recomputed as the chain changes, never deleted.';
comment on column receipt.id is 'Row number.';
comment on column receipt.chain is 'The chain.';
comment on column receipt.credit_key is 'What can be credited once: txid:vout, operation id, payment hash ... (R1).';
comment on column receipt.instruction_id is 'The instruction it paid; null when nobody asked for it (suspense).';
comment on column receipt.merchant_id is 'Merchant of the instruction.';
comment on column receipt.purpose is 'Purpose of the instruction.';
comment on column receipt.purpose_id is 'Id of the checkout or deposit address.';
comment on column receipt.asset_id is 'Asset that arrived, which may not be the asset asked for.';
comment on column receipt.units is 'Smallest units that arrived.';
comment on column receipt.transaction is 'Transaction hash.';
comment on column receipt.destination is 'Where it arrived.';
comment on column receipt.spends is 'Outpoints the transaction spends, to recognise a conflicting one.';
comment on column receipt.status is 'SEEN unconfirmed, INCLUDED in a block, FINAL deep enough, GONE replaced or reorganised away.';
comment on column receipt.generation is 'Rises when a reversed payment appears again.';
comment on column receipt.seen_at is 'When this version was first seen by us.';
comment on column receipt.block_height is 'Height of its block.';
comment on column receipt.block_hash is 'Hash of its block.';
comment on column receipt.mined_at is 'Time its block states.';
comment on column receipt.confirmations_required is 'Depth at which it is final; stored when first in a block and may only rise.';
comment on column receipt.final_at is 'When it became final.';
comment on column receipt.gone_at is 'When it stopped standing.';
comment on column receipt.gone_height is 'Height of the chain when it stopped standing: a credited receipt absent for twice its depth is reversed.';
comment on column receipt.replaced_by is 'Transaction that spends the same outpoints.';
comment on column receipt.conflict_height is 'Height at which that transaction was mined.';
comment on column receipt.credited_generation is 'Generation that the ledger credited last.';
comment on column receipt.reversed_generation is 'Generation whose credit the ledger reversed last.';
create index receipt_purpose on receipt (purpose, purpose_id);
create index receipt_unsettled on receipt (chain, status) where status in ('SEEN', 'INCLUDED');
create index receipt_block on receipt (chain, block_height) where block_height is not null;
create index receipt_gone_credited on receipt (chain) where status in ('SEEN', 'GONE')
  and credited_generation is not null
  and (reversed_generation is null or reversed_generation < credited_generation);
create index receipt_spends on receipt using gin (spends) where status = 'SEEN' or status = 'GONE';
create index receipt_conflict on receipt (chain, conflict_height) where conflict_height is not null;
create index receipt_suspense on receipt (chain) where instruction_id is null
  and coalesce(credited_generation, 0) < generation;
