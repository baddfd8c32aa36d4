-- Lightning: a node is asked for an invoice before the transaction that records it opens. What it is
-- asked for is fixed here first, so that asking again after a crash is asking for the same thing.

create table destination_request (
  checkout_id text not null references checkout,
  network text not null,
  asset_id text not null,
  instruction_id text not null unique check (instruction_id ~ '^[a-z0-9]{12}$'),
  units numeric(78,0) not null check (units > 0),
  asked_at timestamptz not null,
  primary key (checkout_id, network, asset_id)
);
comment on table destination_request is 'What a node was asked for and may have made, before it is recorded as a commitment.';
comment on column destination_request.checkout_id is 'The checkout.';
comment on column destination_request.network is 'Network whose node is asked.';
comment on column destination_request.asset_id is 'Asset to be paid.';
comment on column destination_request.instruction_id is 'Id of the instruction to come: with it the node answers the same twice.';
comment on column destination_request.units is 'What the invoice asks for, in smallest units.';
comment on column destination_request.asked_at is 'When it was asked first: the lock begins then.';

-- What the watcher of Lightning looks for: invoices handed out lately. Other chains watch blocks.
create index deposit_instruction_invoices on deposit_instruction (created_at) where chain = 'live:LIGHTNING';
