-- Payments by HTTP 402 (x402): what payers signed and an account of ours sends (decision 0090).
create table x402_settlement (
  id text primary key,
  checkout_id text not null unique,
  chain text not null,
  sender text not null,
  sequence bigint not null,
  draft text not null,
  question text not null,
  signed_transaction text,
  transaction text,
  settled_by text,
  created_at timestamptz not null,
  unique (chain, sender, sequence)
);
comment on table x402_settlement is 'Transfers that payers signed for checkouts, sent by an account that pays the gas.';
comment on column x402_settlement.id is 'Chain, asset, payer and nonce: what a payer signs once.';
comment on column x402_settlement.checkout_id is 'The checkout it pays: one payment for each.';
comment on column x402_settlement.chain is 'Environment and network.';
comment on column x402_settlement.sender is 'The account that pays the gas, in lower case.';
comment on column x402_settlement.sequence is 'Its nonce.';
comment on column x402_settlement.draft is 'JSON text of terms and call: what the signed transaction is held against.';
comment on column x402_settlement.question is 'What the signer is asked, stored before it is.';
comment on column x402_settlement.signed_transaction is 'As the network takes it; null until the signer has answered.';
comment on column x402_settlement.transaction is 'Its hash.';
comment on column x402_settlement.settled_by is 'The transaction that carried it out, which may be of somebody else; null until one has.';
comment on column x402_settlement.created_at is 'When it was asked for.';
