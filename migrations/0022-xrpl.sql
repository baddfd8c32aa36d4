-- Where the account on the XRP Ledger stood when it was last found to agree with what was read.

create table xrpl_account (
  chain text not null,
  account text not null check (account ~ '^r[1-9A-HJ-NP-Za-km-z]{24,34}$'),
  ledger bigint not null check (ledger > 0),
  drops numeric(78,0) not null check (drops >= 0),
  last_transaction text check (last_transaction ~ '^[0-9A-F]{64}$'),
  last_ledger bigint check (last_ledger > 0),
  primary key (chain, account),
  check ((last_transaction is null) = (last_ledger is null))
);
comment on table xrpl_account is 'The account that is paid, at the end of a ledger up to which everything was recorded: what came since must lead from here to what is there now. Delete the row only after comparing by hand.';
comment on column xrpl_account.chain is 'The chain.';
comment on column xrpl_account.account is 'Classic address of the account.';
comment on column xrpl_account.ledger is 'Ledger at whose end this was so.';
comment on column xrpl_account.drops is 'What the account held, in drops.';
comment on column xrpl_account.last_transaction is 'Transaction that had changed the account last (PreviousTxnID); null when there was no account.';
comment on column xrpl_account.last_ledger is 'Ledger of that transaction.';
