-- What a bank booked out of our account stands in the log too: payments and charges.

alter table bank_entry drop constraint bank_entry_kind_check;
alter table bank_entry add constraint bank_entry_kind_check
  check (kind in ('CREDIT', 'REVERSAL', 'PAYMENT', 'CHARGE'));
comment on table bank_entry is 'What statements booked, transaction by transaction, in the order of import: a log without gaps that only grows. When a credit is undone, hashes from there on change, as if a chain had been reorganised.';
comment on column bank_entry.kind is 'CREDIT: money came; REVERSAL: it was taken back; PAYMENT: we paid somebody; CHARGE: the bank took it.';
alter table bank_entry add column receiver text;
comment on column bank_entry.receiver is 'PAYMENT: who got it; null where the bank does not tell the account.';
alter table bank_entry add column transfer_id text;
comment on column bank_entry.transfer_id is 'PAYMENT: the transfer of ours that its texts name; whether it is that one is decided elsewhere.';
alter table bank_entry add column charge_units numeric(78,0) not null default 0 check (charge_units >= 0);
comment on column bank_entry.charge_units is 'PAYMENT: what the bank kept in the same booking, beside the units.';
