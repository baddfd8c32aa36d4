-- Quotes hold for their time, a window that ended can be followed by a fresh one, and late money is
-- measured by what it is worth (decision 29).
alter table checkout add column quoted_until timestamptz;
update checkout set quoted_until = created_at + interval '60 minutes';
alter table checkout alter column quoted_until set not null;
comment on column checkout.quoted_until is 'Until then a commit keeps the amounts of offers.';

alter table merchant add column late_floor_parts_per_million integer not null default 900000
  check (late_floor_parts_per_million between 500000 and 1000000);
comment on column merchant.late_floor_parts_per_million is 'What late money must be worth to complete a sale by itself, in parts of the total; less waits for the merchant.';
alter table checkout add column late_floor_parts_per_million integer not null default 900000;
alter table checkout alter column late_floor_parts_per_million drop default;
comment on column checkout.late_floor_parts_per_million is 'Floor for late money in force when it was created.';

create table past_window (
  checkout_id text not null,
  network text not null,
  asset_id text not null,
  instruction_id text not null references deposit_instruction,
  payment_units numeric(78,0) not null check (payment_units > 0),
  sent_units numeric(78,0) check (sent_units >= payment_units),
  settlement_asset_id text not null,
  settlement_units numeric(78,0) not null check (settlement_units > 0),
  net_units numeric(78,0) not null check (net_units > 0),
  fee_units numeric(78,0) not null check (fee_units >= 0),
  rates text not null,
  committed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (checkout_id, network, asset_id, committed_at),
  foreign key (checkout_id, network, asset_id) references commitment,
  check (settlement_units = net_units + fee_units),
  check (expires_at > committed_at)
);
comment on table past_window is 'A window of a commitment that had ended when a fresh one was opened: money first seen in it, or before the next, belongs to it for ever.';
comment on column past_window.checkout_id is 'The checkout.';
comment on column past_window.network is 'Network id.';
comment on column past_window.asset_id is 'Asset to pay.';
comment on column past_window.instruction_id is 'Where to pay; the same in every window but on networks where each is an invoice of its own.';
comment on column past_window.payment_units is 'Required amount, rounded up.';
comment on column past_window.sent_units is 'What the payer had to send, where an anchor keeps a part.';
comment on column past_window.settlement_asset_id is 'Asset credited.';
comment on column past_window.settlement_units is 'Gross credit, rounded down.';
comment on column past_window.net_units is 'Credit minus fee.';
comment on column past_window.fee_units is 'Fee.';
comment on column past_window.rates is 'JSON text: the rate rows and exact ratio used.';
comment on column past_window.committed_at is 'When it was opened.';
comment on column past_window.expires_at is 'When it ended.';
create trigger past_window_immutable before update or delete on past_window
  for each row execute function refuse_change();
comment on column commitment.committed_at is 'When its latest window was opened; repeats change nothing while it is open.';
comment on column commitment.expires_at is '60 minutes later; windows before it are in past_window.';

alter table receipt_credit add column accepted_at timestamptz;
comment on column receipt_credit.accepted_at is 'When the merchant took it as enough: the checkout is completed by exactly what was accepted, or not at all.';
comment on column receipt_credit.settlement_units is 'Gross credit; of pending money valued anew when it is released after its lock ended.';

-- A way to pay that is an invoice has one for each of its windows.
drop index deposit_instruction_of_purpose;
create index deposit_instruction_of_purpose
  on deposit_instruction (purpose, purpose_id, chain, asset_id) where not is_address_invoice;
create unique index deposit_instruction_of_deposit_address
  on deposit_instruction (purpose_id, chain, asset_id)
  where purpose = 'deposit-address' and not is_address_invoice;

-- What a payment was worth never changes, but once: pending money whose lock ended is worth what it
-- is worth when it is released.
drop trigger receipt_credit_facts_stay on receipt_credit;
create trigger receipt_credit_facts_stay before update on receipt_credit for each row
  when ((old.receipt_id, old.generation, old.checkout_id, old.asset_id, old.units,
      old.settlement_asset_id)
    is distinct from (new.receipt_id, new.generation, new.checkout_id, new.asset_id, new.units,
      new.settlement_asset_id))
  execute function refuse_change();
create trigger receipt_credit_value_stays before update on receipt_credit for each row
  when ((old.settlement_units, old.net_units, old.fee_units, old.evidence)
      is distinct from (new.settlement_units, new.net_units, new.fee_units, new.evidence)
    and not (old.account = 'pending' and old.released_at is null and new.released_at is not null))
  execute function refuse_change();
