-- What was booked as sent and then undone by a reorganisation: its entries are reversed, and what is
-- here says what they were, since it may be booked again with another fee.

alter table transfer add column undone_count integer not null default 0 check (undone_count >= 0);
comment on column transfer.undone_count is 'How often it was COMPLETED and a reorganisation undid that.';
alter table departure add column undone_count integer not null default 0 check (undone_count >= 0);
comment on column departure.undone_count is 'How often it was booked and a reorganisation undid that.';

create table undone_transfer (
  transfer_id text not null references transfer,
  number integer not null check (number > 0),
  transaction text not null,
  fee_taken_units numeric(78,0) check (fee_taken_units >= 0),
  completed_at timestamptz not null,
  undone_at timestamptz not null,
  primary key (transfer_id, number)
);
comment on table undone_transfer is 'A completion of a transfer that a reorganisation undid.';
comment on column undone_transfer.transfer_id is 'The transfer.';
comment on column undone_transfer.number is '1 for its first completion.';
comment on column undone_transfer.transaction is 'What had paid it.';
comment on column undone_transfer.fee_taken_units is 'What the merchant paid of the network fee; null where all that was reserved.';
comment on column undone_transfer.completed_at is 'When it was completed.';
comment on column undone_transfer.undone_at is 'When its entry was reversed.';

create table undone_departure (
  departure_id bigint not null references departure,
  number integer not null check (number > 0),
  rest_units numeric(78,0) not null,
  booked_at timestamptz not null,
  undone_at timestamptz not null,
  primary key (departure_id, number)
);
comment on table undone_departure is 'A booking of a departure that a reorganisation undid.';
comment on column undone_departure.departure_id is 'The departure.';
comment on column undone_departure.number is '1 for its first booking.';
comment on column undone_departure.rest_units is 'What the network took beyond what the transfers in it paid of it.';
comment on column undone_departure.booked_at is 'When it was booked.';
comment on column undone_departure.undone_at is 'When its entries were reversed.';
create index departure_undone_seen on departure (id) where undone_count > 0 and status = 'SEEN';
