-- Statements of banks as they were imported: what stands in for the chain of a bank.

create table bank_log (
  chain text primary key,
  height bigint not null check (height >= 0),
  hash text not null
);
comment on table bank_log is 'Where the log of a bank ends. Locked by whoever imports.';
comment on column bank_log.chain is 'The chain.';
comment on column bank_log.height is 'Number of the last row of bank_entry; 0: none yet.';
comment on column bank_log.hash is 'Hash of that row.';

create table bank_statement (
  id bigint generated always as identity primary key,
  chain text not null,
  account text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  kind text not null check (kind in ('STATEMENT', 'NOTIFICATION')),
  statement_id text not null,
  sequence bigint,
  digest bytea not null check (length(digest) = 32),
  opening_units numeric(78,0),
  closing_units numeric(78,0),
  closing_on text check (closing_on ~ '^\d{4}-\d{2}-\d{2}$'),
  booked_units numeric(78,0) not null,
  imported_at timestamptz not null,
  check ((opening_units is null) = (closing_units is null)),
  check ((closing_units is null) = (closing_on is null))
);
create unique index bank_statement_once on bank_statement (chain, digest);
comment on table bank_statement is 'Statements and notifications that were imported, each content once.';
comment on column bank_statement.id is 'Number in the order of import.';
comment on column bank_statement.chain is 'The chain.';
comment on column bank_statement.account is 'IBAN or number of the account, in one spelling.';
comment on column bank_statement.currency is 'Code of ISO 4217.';
comment on column bank_statement.kind is 'STATEMENT (camt.053) or NOTIFICATION (camt.054).';
comment on column bank_statement.statement_id is 'What the bank calls it.';
comment on column bank_statement.sequence is 'Number of the bank''s own counting, where it counts.';
comment on column bank_statement.digest is 'SHA-256 of what was read from it.';
comment on column bank_statement.opening_units is 'Booked balance before it; null where it shows none.';
comment on column bank_statement.closing_units is 'Booked balance after it.';
comment on column bank_statement.closing_on is 'Day of that balance.';
comment on column bank_statement.booked_units is 'Sum of what is booked in it, debits negative.';
comment on column bank_statement.imported_at is 'When it was imported.';

create table bank_entry (
  chain text not null,
  height bigint not null check (height > 0),
  kind text not null check (kind in ('CREDIT', 'REVERSAL')),
  credit_key text not null,
  account text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  units numeric(78,0) not null check (units > 0),
  reference text,
  end_to_end_id text,
  transaction text not null,
  entry_key text not null,
  entry_reference text,
  entry_units numeric(78,0) not null check (entry_units > 0),
  fingerprint text not null,
  details text not null,
  statement_id bigint not null references bank_statement (id),
  undone_by bigint,
  undoes bigint,
  hash text not null,
  parent_hash text not null,
  recorded_at timestamptz not null,
  primary key (chain, height),
  check (undone_by is null or kind = 'CREDIT'),
  check (undoes is null or kind = 'REVERSAL')
);
create unique index bank_entry_credit_key on bank_entry (chain, credit_key);
create index bank_entry_reference on bank_entry (chain, entry_reference);
create index bank_entry_fingerprint on bank_entry (chain, fingerprint);
create index bank_entry_undone on bank_entry (chain, height) where undone_by is not null;
create index bank_entry_open_reversal on bank_entry (chain, height)
  where kind = 'REVERSAL' and undoes is null;
comment on table bank_entry is 'Transactions of booked credits, and of bookings that undo them, in the order of import: a log without gaps that only grows. When one is undone, hashes from there on change, as if a chain had been reorganised.';
comment on column bank_entry.chain is 'The chain.';
comment on column bank_entry.height is 'Number in the log, from 1.';
comment on column bank_entry.kind is 'CREDIT: money came; REVERSAL: it was taken back.';
comment on column bank_entry.credit_key is 'What can be credited once for ever.';
comment on column bank_entry.account is 'The account of the statement.';
comment on column bank_entry.currency is 'Code of ISO 4217.';
comment on column bank_entry.units is 'Smallest units.';
comment on column bank_entry.reference is 'The reference of ours in it; null when there is none, or more than one.';
comment on column bank_entry.end_to_end_id is 'Given by the payer; null when it says nothing.';
comment on column bank_entry.transaction is 'What a person finds it by at the bank.';
comment on column bank_entry.entry_key is 'The booking it belongs to, which is imported once.';
comment on column bank_entry.entry_reference is 'Reference of the booking by the bank (AcctSvcrRef).';
comment on column bank_entry.entry_units is 'Amount of the whole booking.';
comment on column bank_entry.fingerprint is 'Side, day and amount of the booking, to know it again where the bank gives no reference.';
comment on column bank_entry.details is 'Digest of its transactions; empty where only a sum was shown.';
comment on column bank_entry.statement_id is 'Where it was seen first.';
comment on column bank_entry.undone_by is 'CREDIT: height of the reversal; null while it stands.';
comment on column bank_entry.undoes is 'REVERSAL: height of what it takes back; null while that is not known.';
comment on column bank_entry.hash is 'Digest of this row and the one before.';
comment on column bank_entry.parent_hash is 'Hash of the row before.';
comment on column bank_entry.recorded_at is 'When it was imported.';
