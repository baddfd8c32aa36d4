-- Invoices (BOLT 11) that transfers over Lightning are paid by.

create table invoice_payment (
  payment_hash text primary key check (payment_hash ~ '^[0-9a-f]{64}$'),
  chain text not null,
  transfer_id text not null references transfer (id),
  invoice text not null,
  description text,
  units numeric(78,0) not null check (units > 0),
  fee_units_most numeric(78,0) not null check (fee_units_most >= 0),
  expires_at timestamptz not null,
  by_hand boolean not null,
  created_at timestamptz not null,
  ordered_at timestamptz,
  orders integer not null default 0,
  over_at timestamptz,
  preimage text check (preimage ~ '^[0-9a-f]{64}$'),
  seal bytea not null,
  check (by_hand = (ordered_at is null)),
  check ((orders > 0) = (ordered_at is not null)),
  check (over_at is null or preimage is null)
);
comment on table invoice_payment is 'An invoice that is to pay a transfer, stored before anybody is told to pay it. One is for one transfer, for ever.';
comment on column invoice_payment.payment_hash is 'Names the invoice, and the payment of it at every node.';
comment on column invoice_payment.chain is 'Environment and network.';
comment on column invoice_payment.transfer_id is 'The transfer it pays.';
comment on column invoice_payment.invoice is 'As it is paid.';
comment on column invoice_payment.description is 'What its Lightning address told, of which it holds the hash.';
comment on column invoice_payment.units is 'What the receiver gets.';
comment on column invoice_payment.fee_units_most is 'Most that the network may take beside it.';
comment on column invoice_payment.expires_at is 'When it can be paid no more.';
comment on column invoice_payment.by_hand is 'A person was shown it; the node is not told to pay it.';
comment on column invoice_payment.created_at is 'When it was stored.';
comment on column invoice_payment.ordered_at is 'When the node was last told to pay it.';
comment on column invoice_payment.orders is 'How often it was told.';
comment on column invoice_payment.over_at is 'When it was known that it is not paid and can be paid no more.';
comment on column invoice_payment.preimage is 'Proves that it was paid.';
comment on column invoice_payment.seal is 'Message authentication code over what is paid, with a key outside of the database.';
alter table transfer add column fee_beyond_units numeric(78,0) not null default 0
  check (fee_beyond_units >= 0);
comment on column transfer.fee_beyond_units is 'What the network took above what was reserved for it; the house pays it.';
create unique index invoice_payment_live on invoice_payment (transfer_id) where over_at is null;
create index invoice_payment_ordered on invoice_payment (chain, ordered_at);
create index invoice_payment_transfer on invoice_payment (transfer_id);
