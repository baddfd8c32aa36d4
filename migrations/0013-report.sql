-- Reports are read by business time. The index on row numbers was used by nothing else.
drop index ledger_entry_merchant;
create index ledger_entry_merchant_time on ledger_entry (merchant_id, environment, occurred_at, id);
create index checkout_completed on checkout (merchant_id, environment, completed_at, id)
  where completed_at is not null;
