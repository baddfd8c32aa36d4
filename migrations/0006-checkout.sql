create table checkout (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  api_key text references api_key,
  type text not null check (type in ('HOSTED', 'SELF_HOSTED')),
  origin text not null check (origin in ('API', 'DASHBOARD', 'PAYMENT_LINK')),
  page_token_hash bytea not null unique check (length(page_token_hash) = 32),
  customer_id text,
  payload text not null,
  meta text,
  billing_currency text not null,
  total numeric(36,18) not null check (total > 0),
  settlement_asset text not null,
  language text not null,
  webhook_url text,
  return_url text,
  cancel_url text,
  offers text not null,
  origin_url text,
  fee_parts_per_million integer not null,
  underpaid_tolerance_parts_per_million integer not null,
  state text not null check (state in
    ('NEW', 'AWAITING_PAYMENT', 'PENDING', 'UNDERPAID', 'COMPLETED', 'EXPIRED', 'CANCELLED')),
  version integer not null default 1,
  event_sequence integer not null default 0,
  source_network text,
  source_asset_id text,
  flags text not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  cancelled_at timestamptz,
  accepted_underpaid_at timestamptz,
  settle_at timestamptz,
  settle_failures integer not null default 0,
  parked_reason text,
  check ((state = 'COMPLETED') = (completed_at is not null))
);
comment on table checkout is 'A charge to be paid once.';
comment on column checkout.id is 'Random id of 12 characters; not a secret.';
comment on column checkout.merchant_id is 'Who is paid.';
comment on column checkout.environment is 'test or live.';
comment on column checkout.api_key is 'The key that created it; its secret makes X-Webhook-Auth.';
comment on column checkout.type is 'HOSTED or SELF_HOSTED.';
comment on column checkout.origin is 'API, DASHBOARD or PAYMENT_LINK.';
comment on column checkout.page_token_hash is 'SHA-256 of the token in the hosted page address; the token is derived from the id under the key file.';
comment on column checkout.customer_id is 'Linked customer.';
comment on column checkout.payload is 'JSON text of the request as echoed in events, numbers with their text.';
comment on column checkout.meta is 'JSON text of the merchant''s own data, echoed as it came.';
comment on column checkout.billing_currency is 'Currency of the charge.';
comment on column checkout.total is 'Total of the charge, rounded once to the decimals of the currency (S9).';
comment on column checkout.settlement_asset is 'Asset id to credit, or ORIGIN.';
comment on column checkout.language is 'Language of the page, or auto.';
comment on column checkout.webhook_url is 'Receives the events of this checkout.';
comment on column checkout.return_url is 'Where the customer goes after payment.';
comment on column checkout.cancel_url is 'Where the customer goes on cancelling.';
comment on column checkout.offers is 'JSON text: payment methods with amounts, settlement and rate rows as quoted at creation, and the methods left out with reasons.';
comment on column checkout.origin_url is 'X-Origin-URL, for display; trusted for nothing.';
comment on column checkout.fee_parts_per_million is 'Fee in force when it was created.';
comment on column checkout.underpaid_tolerance_parts_per_million is 'Tolerance in force when it was created.';
comment on column checkout.state is 'wire.md section 6.';
comment on column checkout.version is 'Rises with every change; compare and set.';
comment on column checkout.event_sequence is 'Sequence of the last event.';
comment on column checkout.source_network is 'Network the customer chose last, or paid on.';
comment on column checkout.source_asset_id is 'Asset the customer chose last, or paid in.';
comment on column checkout.flags is 'JSON text: late, overpaid, multiple, reversed, acceptedUnderpaid, manual, each with its amount or time.';
comment on column checkout.created_at is 'When it was created.';
comment on column checkout.expires_at is 'End of the latest lock; 24 hours after creation while nothing is committed (S7).';
comment on column checkout.completed_at is 'When it completed; never unset.';
comment on column checkout.cancelled_at is 'When it was cancelled.';
comment on column checkout.accepted_underpaid_at is 'When the merchant accepted less.';
comment on column checkout.settle_at is 'When it has to be decided again: at once after new facts, or at its expiry; null when nothing can change it but new facts.';
comment on column checkout.settle_failures is 'Failed decisions in a row.';
comment on column checkout.parked_reason is 'Set when deciding failed as a bug; shown to the operator.';
create index checkout_settle on checkout (settle_at) where settle_at is not null;
create index checkout_merchant on checkout (merchant_id, environment, created_at desc, id);

create table checkout_state_change (
  checkout_id text not null references checkout,
  version integer not null,
  state text not null,
  changed_at timestamptz not null,
  primary key (checkout_id, version)
);
comment on table checkout_state_change is 'History of the state.';
comment on column checkout_state_change.checkout_id is 'The checkout.';
comment on column checkout_state_change.version is 'Version of the checkout that made the change.';
comment on column checkout_state_change.state is 'State from then on.';
comment on column checkout_state_change.changed_at is 'When.';

-- S1: COMPLETED is absorbing, whatever the code does.
create function refuse_leaving_completed() returns trigger language plpgsql as $$
begin
  if old.state = 'COMPLETED' and new.state <> 'COMPLETED' then
    raise exception 'checkout % is completed', old.id
      using errcode = 'check_violation', constraint = 'checkout_completed_is_final';
  end if;
  return new;
end $$;
create trigger checkout_completed_is_final before update of state on checkout
  for each row execute function refuse_leaving_completed();

create table commitment (
  checkout_id text not null references checkout,
  network text not null,
  asset_id text not null,
  instruction_id text not null unique references deposit_instruction,
  payment_units numeric(78,0) not null check (payment_units > 0),
  settlement_asset_id text not null,
  settlement_units numeric(78,0) not null check (settlement_units > 0),
  net_units numeric(78,0) not null check (net_units > 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  rates text not null,
  committed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (checkout_id, network, asset_id),
  check (settlement_units = net_units + fee_units),
  check (expires_at > committed_at)
);
comment on table commitment is 'A lock: what the customer must pay on one network and what the merchant is guaranteed for it (S7, S8).';
comment on column commitment.checkout_id is 'The checkout.';
comment on column commitment.network is 'Network id.';
comment on column commitment.asset_id is 'Asset to pay.';
comment on column commitment.instruction_id is 'Where to pay.';
comment on column commitment.payment_units is 'Required amount, rounded up.';
comment on column commitment.settlement_asset_id is 'Asset credited.';
comment on column commitment.settlement_units is 'Gross credit, rounded down.';
comment on column commitment.net_units is 'Credit minus fee.';
comment on column commitment.fee_units is 'Fee.';
comment on column commitment.rates is 'JSON text: the rate rows and exact ratio used.';
comment on column commitment.committed_at is 'First commit; repeats change nothing.';
comment on column commitment.expires_at is '60 minutes later.';

create table receipt_credit (
  receipt_id bigint not null references receipt,
  generation integer not null,
  checkout_id text not null references checkout,
  network text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  locked_units numeric(78,0) not null check (locked_units >= 0 and locked_units <= units),
  rate_basis text not null check (rate_basis in ('LOCKED', 'CURRENT', 'MIXED', 'NONE')),
  settlement_asset_id text not null,
  settlement_units numeric(78,0) not null check (settlement_units >= 0),
  net_units numeric(78,0) not null check (net_units >= 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  required_now_units numeric(78,0) check (required_now_units > 0),
  evidence text not null,
  account text not null check (account in ('pending', 'available', 'suspense')),
  credited_at timestamptz not null,
  released_at timestamptz,
  reversed_at timestamptz,
  primary key (receipt_id, generation),
  check (settlement_units = net_units + fee_units)
);
comment on table receipt_credit is 'What a final receipt was worth and where the ledger put it; decided once (F12).';
comment on column receipt_credit.receipt_id is 'The receipt.';
comment on column receipt_credit.generation is 'Generation of the receipt that was credited.';
comment on column receipt_credit.checkout_id is 'The checkout it paid.';
comment on column receipt_credit.network is 'Network it was paid on.';
comment on column receipt_credit.asset_id is 'Asset that arrived.';
comment on column receipt_credit.units is 'Amount that arrived.';
comment on column receipt_credit.locked_units is 'Part of it under the rate of the lock; the rest is at the rate when it became final.';
comment on column receipt_credit.rate_basis is 'LOCKED, CURRENT, MIXED, or NONE for money of another asset, which goes to suspense.';
comment on column receipt_credit.settlement_asset_id is 'Asset credited to the merchant.';
comment on column receipt_credit.settlement_units is 'Gross credit.';
comment on column receipt_credit.net_units is 'Credit to the merchant.';
comment on column receipt_credit.fee_units is 'Fee of the service.';
comment on column receipt_credit.required_now_units is 'For money that came late: what the whole charge cost in this asset when it became final.';
comment on column receipt_credit.evidence is 'JSON text: rate rows and ratio used.';
comment on column receipt_credit.account is 'pending until the checkout completes, then available; suspense for a wrong asset.';
comment on column receipt_credit.credited_at is 'When the ledger credited it.';
comment on column receipt_credit.released_at is 'When it moved from pending to available.';
comment on column receipt_credit.reversed_at is 'When a reversal took it back.';
create index receipt_credit_checkout on receipt_credit (checkout_id);
