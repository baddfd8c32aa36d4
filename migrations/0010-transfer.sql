-- Outgoing money. A transfer debits the ledger before anything is sent; what is sent is stored before
-- it is submitted (payments.md, Outgoing money).

create table beneficiary (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  label text not null check (length(label) between 1 and 200),
  network text not null,
  account text not null,
  created_at timestamptz not null,
  usable_at timestamptz not null,
  deleted_at timestamptz
);
comment on table beneficiary is 'Somebody money may be sent to (wire.md section 8).';
comment on column beneficiary.id is 'Random id of 12 characters.';
comment on column beneficiary.merchant_id is 'Owner.';
comment on column beneficiary.environment is 'test or live.';
comment on column beneficiary.label is 'Name for people, unique among those not deleted.';
comment on column beneficiary.network is 'Network id.';
comment on column beneficiary.account is 'JSON text of the account fields, validated by checksum.';
comment on column beneficiary.created_at is 'When it was made.';
comment on column beneficiary.usable_at is 'End of the cool-down: 24 hours after creation for live ones (D15).';
comment on column beneficiary.deleted_at is 'When it was deleted.';
create unique index beneficiary_label on beneficiary (merchant_id, environment, label)
  where deleted_at is null;
create index beneficiary_merchant on beneficiary (merchant_id, environment, created_at desc, id);

create table transfer (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('TRANSFER', 'REFUND')),
  beneficiary_id text references beneficiary,
  network text not null,
  asset_id text not null,
  account text,
  units numeric(78,0) not null check (units > 0),
  network_fee_units numeric(78,0) not null check (network_fee_units >= 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  source text not null check (source in ('merchant:available', 'merchant:pending')),
  target_units numeric(78,0) not null check (target_units > 0),
  state text not null check (state in ('QUOTED', 'RESERVED', 'SUBMITTED', 'COMPLETED', 'FAILED', 'EXPIRED')),
  event_sequence integer not null default 0,
  api_key text references api_key,
  signed_transaction text,
  transaction text,
  failure text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  committed_at timestamptz,
  submitted_at timestamptz,
  finished_at timestamptz,
  next_step_at timestamptz,
  check (account is not null or (kind = 'REFUND' and signed_transaction is null)),
  check (units = target_units + network_fee_units + fee_units),
  check ((state in ('COMPLETED', 'FAILED', 'EXPIRED')) = (finished_at is not null))
);
comment on table transfer is 'Money sent out, as a transfer or a refund.';
comment on column transfer.id is 'Random id of 12 characters.';
comment on column transfer.merchant_id is 'Whose money.';
comment on column transfer.environment is 'test or live.';
comment on column transfer.kind is 'TRANSFER, or REFUND when a refund row points here.';
comment on column transfer.beneficiary_id is 'Receiver of a transfer.';
comment on column transfer.network is 'Network id.';
comment on column transfer.asset_id is 'Asset sent.';
comment on column transfer.account is 'JSON text of the receiving account as it was when quoted; null while the payer has not claimed a refund.';
comment on column transfer.units is 'What the merchant is debited.';
comment on column transfer.network_fee_units is 'Most that the network may take.';
comment on column transfer.fee_units is 'Fee of the service.';
comment on column transfer.source is 'Account of the merchant that is debited, and that gets it back when the transfer fails.';
comment on column transfer.target_units is 'What the receiver gets.';
comment on column transfer.state is 'QUOTED, RESERVED once debited, SUBMITTED, then COMPLETED or FAILED; EXPIRED when never committed.';
comment on column transfer.event_sequence is 'Sequence of the last event.';
comment on column transfer.api_key is 'Key that made it.';
comment on column transfer.signed_transaction is 'What is submitted, stored before it is (C19).';
comment on column transfer.transaction is 'Its hash or reference.';
comment on column transfer.failure is 'Why it failed.';
comment on column transfer.created_at is 'When it was quoted.';
comment on column transfer.expires_at is 'End of the quote.';
comment on column transfer.committed_at is 'When it was committed and debited.';
comment on column transfer.submitted_at is 'When it was first submitted.';
comment on column transfer.finished_at is 'When it ended.';
comment on column transfer.next_step_at is 'When the executor has to look at it; null when nothing is to be done.';
create index transfer_due on transfer (next_step_at) where next_step_at is not null;
create index transfer_merchant on transfer (merchant_id, environment, created_at desc, id);

create table refund (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  checkout_id text not null references checkout,
  kind text not null check (kind in ('full', 'excess', 'amount')),
  context text not null check (context in ('COMPLETED_CHECKOUT', 'UNDERPAID_CHECKOUT', 'OVERPAID_TRANSACTION')),
  network text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  state text not null check (state in ('AWAITING_ADDRESS', 'UNDER_WAY', 'COMPLETED', 'FAILED')),
  claim_token_hash bytea unique,
  address text,
  transfer_id text unique references transfer,
  api_key text references api_key,
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
comment on table refund is 'Money of a checkout sent back to the payer.';
comment on column refund.id is 'Random id of 12 characters.';
comment on column refund.merchant_id is 'Whose money.';
comment on column refund.environment is 'test or live.';
comment on column refund.checkout_id is 'The checkout refunded.';
comment on column refund.kind is 'full, excess or amount.';
comment on column refund.context is 'What was refunded, as told in REFUND_COMPLETED.';
comment on column refund.network is 'Network it goes back on.';
comment on column refund.asset_id is 'Asset it is paid in: the one the customer paid.';
comment on column refund.units is 'Amount the payer gets.';
comment on column refund.state is 'AWAITING_ADDRESS while the payer has not claimed it.';
comment on column refund.claim_token_hash is 'SHA-256 of the token in the claim link.';
comment on column refund.address is 'Where it goes.';
comment on column refund.transfer_id is 'The transfer that carries it.';
comment on column refund.api_key is 'Key that asked for it.';
comment on column refund.event_sequence is 'Sequence of the last event.';
comment on column refund.created_at is 'When it was asked for.';
comment on column refund.finished_at is 'When it ended.';
create index refund_checkout on refund (checkout_id);
create index refund_merchant on refund (merchant_id, environment, created_at desc, id);

alter table receipt_credit drop constraint receipt_credit_account_check;
alter table receipt_credit add constraint receipt_credit_account_check
  check (account in ('pending', 'available', 'suspense', 'refunded'));
comment on column receipt_credit.account is 'pending until the checkout completes, then available; suspense for a wrong asset; refunded when pending money went back to the payer.';
alter table receipt_credit add column refund_id text references refund;
comment on column receipt_credit.refund_id is 'The refund that pending money went back with.';
create index receipt_credit_refund on receipt_credit (refund_id) where refund_id is not null;
