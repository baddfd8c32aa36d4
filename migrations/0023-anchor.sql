-- Payments that reach us through an anchor of Stellar (SEP-6): what the anchor says about each.

create table anchor_deposit (
  instruction_id text primary key check (instruction_id ~ '^[a-z0-9]{12}$'),
  chain text not null,
  domain text not null,
  anchor_transaction text not null,
  status text not null,
  amount_in text,
  external_transaction text,
  external_seen_at timestamptz,
  stellar_transaction text,
  stellar_seen_at timestamptz,
  asked_at timestamptz not null,
  checked_at timestamptz not null,
  is_over boolean not null default false,
  unique (domain, anchor_transaction)
);
comment on table anchor_deposit is 'The state of a transfer at an anchor, kept beside ours: it is shown and moves no money. Written when the anchor is asked where to pay, before the instruction is.';
comment on column anchor_deposit.instruction_id is 'The instruction it was asked for; one that was never recorded was shown to nobody.';
comment on column anchor_deposit.chain is 'The chain the customer pays on.';
comment on column anchor_deposit.domain is 'Home domain of the anchor.';
comment on column anchor_deposit.anchor_transaction is 'Id of the transfer at the anchor.';
comment on column anchor_deposit.status is 'Status in the words of SEP-6.';
comment on column anchor_deposit.amount_in is 'What the anchor says it received, as text in whole coins.';
comment on column anchor_deposit.external_transaction is 'Transaction of the customer on the other network, as the anchor names it.';
comment on column anchor_deposit.external_seen_at is 'When the anchor first named it.';
comment on column anchor_deposit.stellar_transaction is 'Transaction by which the anchor paid us, as the anchor names it.';
comment on column anchor_deposit.stellar_seen_at is 'When the anchor first named it.';
comment on column anchor_deposit.asked_at is 'When the anchor was asked.';
comment on column anchor_deposit.checked_at is 'When it was last asked for the status.';
comment on column anchor_deposit.is_over is 'True when the anchor will change nothing any more.';
create index anchor_deposit_open on anchor_deposit (chain, checked_at) where not is_over;
