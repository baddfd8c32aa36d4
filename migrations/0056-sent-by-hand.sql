-- Money that a person sends: a transfer waits as TO_SEND, and the watcher sees it leave.

alter table transfer drop constraint transfer_state_check;
alter table transfer add constraint transfer_state_check check (state in
  ('QUOTED', 'RESERVED', 'TO_SEND', 'SUBMITTED', 'COMPLETED', 'FAILED', 'EXPIRED'));
comment on column transfer.state is 'QUOTED, RESERVED once debited, TO_SEND while a person has to send it, SUBMITTED, then COMPLETED or FAILED; EXPIRED when never committed.';
alter table transfer add column by_hand boolean not null default false;
comment on column transfer.by_hand is 'A person sends it; nothing of it is signed here.';
alter table transfer add column shown_at timestamptz;
comment on column transfer.shown_at is 'When somebody was first told how to send it: from then on it may have been sent.';
alter table transfer add column fee_taken_units numeric(78,0) check (fee_taken_units >= 0);
comment on column transfer.fee_taken_units is 'What the network really took, as far as the merchant pays it; the rest of network_fee_units went back. Null where what was reserved is what is paid.';
alter table transfer add column paid_outside boolean not null default false;
comment on column transfer.paid_outside is 'It was paid with money that the operator holds outside of the addresses that are watched.';
alter table transfer add check (fee_taken_units <= network_fee_units);

create table departure (
  id bigint generated always as identity primary key,
  chain text not null,
  transaction text not null,
  spends text[] not null,
  fee_asset_id text not null,
  fee_units numeric(78,0) check (fee_units >= 0),
  status text not null check (status in ('SEEN', 'INCLUDED', 'GONE')),
  block_height bigint,
  block_hash text,
  confirmations_required integer not null,
  seen_at timestamptz not null,
  booked_at timestamptz,
  check ((status = 'INCLUDED') = (block_height is not null)),
  unique (chain, transaction)
);
comment on table departure is 'A transaction that spends what is ours, as its chain shows it.';
comment on column departure.id is 'Number.';
comment on column departure.chain is 'Environment and network.';
comment on column departure.transaction is 'Its id on the chain.';
comment on column departure.spends is 'Outputs of ours that it spends, where the network has outputs.';
comment on column departure.fee_asset_id is 'Asset of the network fee.';
comment on column departure.fee_units is 'What the network took from us; null when that cannot be told, because others paid in it too.';
comment on column departure.status is 'SEEN while unconfirmed, INCLUDED in a block of the branch that is followed, GONE when another transaction took its place.';
comment on column departure.block_height is 'Block that holds it.';
comment on column departure.block_hash is 'Hash of that block.';
comment on column departure.confirmations_required is 'Depth at which it is booked.';
comment on column departure.seen_at is 'When it was seen first.';
comment on column departure.booked_at is 'When its fee and what it carries were booked.';
create index departure_open on departure (chain, id) where booked_at is null and status <> 'GONE';
create index departure_height on departure (chain, block_height) where block_height is not null;
create index departure_spends on departure using gin (spends) where status = 'SEEN';

create table departure_part (
  departure_id bigint not null references departure,
  number integer not null check (number > 0),
  chain text not null,
  credit_key text not null,
  destination text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  purpose text check (purpose in ('OWN', 'TRANSFER', 'OUTSIDE', 'LOST')),
  transfer_id text references transfer,
  decided_by text,
  reason text,
  decided_at timestamptz,
  primary key (departure_id, number),
  check ((purpose = 'TRANSFER') = (transfer_id is not null))
);
comment on table departure_part is 'What a departure pays to one receiver.';
comment on column departure_part.departure_id is 'The departure.';
comment on column departure_part.number is '1 for the first.';
comment on column departure_part.chain is 'That of the departure.';
comment on column departure_part.credit_key is 'Name of the payment on its chain: the output, where it has outputs.';
comment on column departure_part.destination is 'Who gets it, in canonical form.';
comment on column departure_part.asset_id is 'Asset.';
comment on column departure_part.units is 'What the receiver gets.';
comment on column departure_part.purpose is 'OWN: it stays with us (change, consolidation); TRANSFER: it carries a transfer; OUTSIDE: the operator keeps it elsewhere; LOST: stolen or sent by mistake; null until that is known.';
comment on column departure_part.transfer_id is 'The transfer that it carries.';
comment on column departure_part.decided_by is 'Who said so, where a person did.';
comment on column departure_part.reason is 'Why, in the words of that person.';
comment on column departure_part.decided_at is 'When.';
create index departure_part_own on departure_part (chain, credit_key) where purpose = 'OWN';
create index departure_part_undecided on departure_part (departure_id) where purpose is null;
create unique index departure_part_transfer on departure_part (transfer_id) where transfer_id is not null;
