create table deposit_address (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  network text not null,
  asset_id text not null,
  instruction_id text not null unique references deposit_instruction,
  label text,
  webhook_url text,
  meta text,
  api_key text references api_key,
  fee_parts_per_million integer not null,
  event_sequence integer not null default 0,
  settle_at timestamptz,
  created_at timestamptz not null
);
comment on table deposit_address is 'A dedicated destination that may be paid any number of times, watched for ever.';
comment on column deposit_address.id is 'Random id of 12 characters.';
comment on column deposit_address.merchant_id is 'Who is credited.';
comment on column deposit_address.environment is 'test or live.';
comment on column deposit_address.network is 'Network id.';
comment on column deposit_address.asset_id is 'Asset asked for.';
comment on column deposit_address.instruction_id is 'Where to pay.';
comment on column deposit_address.label is 'Name for people.';
comment on column deposit_address.webhook_url is 'Receives DEPOSIT_PENDING and DEPOSIT_COMPLETED.';
comment on column deposit_address.meta is 'JSON text, echoed as it came.';
comment on column deposit_address.api_key is 'Key that made it; its secret makes X-Webhook-Auth.';
comment on column deposit_address.fee_parts_per_million is 'Fee in force when it was made.';
comment on column deposit_address.event_sequence is 'Sequence of the last event.';
comment on column deposit_address.settle_at is 'When its receipts have to be looked at again; null when nothing waits.';
comment on column deposit_address.created_at is 'When it was made.';
create index deposit_address_settle on deposit_address (settle_at) where settle_at is not null;
create index deposit_address_merchant on deposit_address (merchant_id, environment, created_at desc, id);

create table deposit_credit (
  receipt_id bigint not null references receipt,
  generation integer not null,
  deposit_address_id text not null references deposit_address,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  net_units numeric(78,0) not null check (net_units >= 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  account text not null check (account in ('available', 'suspense')),
  credited_at timestamptz not null,
  reversed_at timestamptz,
  primary key (receipt_id, generation),
  check (units = net_units + fee_units)
);
comment on table deposit_credit is 'What a final receipt at a deposit address was credited as.';
comment on column deposit_credit.receipt_id is 'The receipt.';
comment on column deposit_credit.generation is 'Its generation.';
comment on column deposit_credit.deposit_address_id is 'The deposit address.';
comment on column deposit_credit.asset_id is 'Asset that arrived and was credited.';
comment on column deposit_credit.units is 'Amount that arrived.';
comment on column deposit_credit.net_units is 'Credit to the merchant.';
comment on column deposit_credit.fee_units is 'Fee of the service.';
comment on column deposit_credit.account is 'available; suspense for another asset than asked.';
comment on column deposit_credit.credited_at is 'When the ledger credited it.';
comment on column deposit_credit.reversed_at is 'When a reversal took it back.';
create index deposit_credit_address on deposit_credit (deposit_address_id);
