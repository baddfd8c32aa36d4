-- What was put together for somebody else to sign, and what came back signed.

create table attempt (
  id bigint generated always as identity primary key,
  chain text not null,
  transfer_ids text[] not null check (cardinality(transfer_ids) > 0),
  terms text not null,
  spends text[] not null check (cardinality(spends) > 0),
  drafted_at timestamptz not null,
  signed_transaction text,
  transaction text,
  signed_at timestamptz,
  over_at timestamptz,
  check ((signed_transaction is null) = (transaction is null)),
  check ((signed_transaction is null) = (signed_at is null)),
  check (over_at is null or signed_at is not null),
  unique (chain, transaction)
);
comment on table attempt is 'A transaction for transfers that a person sends, as it was drafted and as it came back signed.';
comment on column attempt.id is 'Number.';
comment on column attempt.chain is 'Environment and network.';
comment on column attempt.transfer_ids is 'The transfers it pays, in the order of its payments.';
comment on column attempt.terms is 'What the adapter of the chain needs to know the signed transaction again.';
comment on column attempt.spends is 'What only one transaction can spend: outputs, the nonce or sequence number of an account.';
comment on column attempt.drafted_at is 'When it was put together.';
comment on column attempt.signed_transaction is 'As the network takes it, stored before it is sent.';
comment on column attempt.transaction is 'Its hash or id.';
comment on column attempt.signed_at is 'When it came back.';
comment on column attempt.over_at is 'When it was known that it can land no more without having paid the transfers.';
create index attempt_transfers on attempt using gin (transfer_ids);
create index attempt_live on attempt (chain) where signed_at is not null and over_at is null;
