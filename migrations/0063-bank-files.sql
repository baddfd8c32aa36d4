-- Files of orders for banks: who drafted one, who released it, and what the bank says of each
-- transfer in it.

create table bank_file (
  message_id text primary key check (message_id ~ '^QT-[A-Z0-9]{12}$'),
  chain text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  needs_second boolean not null,
  drafted_by text not null check (btrim(drafted_by) <> ''),
  drafted_at timestamptz not null,
  released_by text,
  released_at timestamptz,
  check ((released_by is null) = (released_at is null)),
  constraint bank_file_two_people check (
    released_by is null or not needs_second
    or lower(btrim(released_by)) <> lower(btrim(drafted_by)))
);
comment on table bank_file is 'A file of orders (pain.001): what it holds follows from its transfers, so its text is not kept.';
comment on column bank_file.message_id is 'By which the bank knows it; a bank takes a file of one name once.';
comment on column bank_file.chain is 'Of the account that pays.';
comment on column bank_file.asset_id is 'Of every transfer in it.';
comment on column bank_file.units is 'Of all transfers together.';
comment on column bank_file.needs_second is 'Above the limit of the settings: another person than who drafted it has to release it.';
comment on column bank_file.drafted_by is 'Who put it together.';
comment on column bank_file.drafted_at is 'When it was put together.';
comment on column bank_file.released_by is 'Who let it be written; null before.';
comment on column bank_file.released_at is 'When it was released: from then on the bank may have it.';
create index bank_file_drafted on bank_file (drafted_at);

create table bank_file_transfer (
  message_id text not null references bank_file,
  transfer_id text not null references transfer,
  verdict text check (verdict in ('PENDING', 'ACCEPTED', 'EXECUTED', 'REJECTED')),
  said text,
  report_id text,
  told_at timestamptz,
  primary key (message_id, transfer_id),
  check ((verdict is null) = (told_at is null))
);
comment on table bank_file_transfer is 'A transfer in a file of orders, and the last word of the bank on it.';
comment on column bank_file_transfer.message_id is 'Of the file.';
comment on column bank_file_transfer.transfer_id is 'What is ordered; it may stand in several files.';
comment on column bank_file_transfer.verdict is 'What a status report (pain.002) says of it; null while nothing was said.';
comment on column bank_file_transfer.said is 'Its code and reasons.';
comment on column bank_file_transfer.report_id is 'Name of the report.';
comment on column bank_file_transfer.told_at is 'When the report was read.';
create index bank_file_transfer_transfer on bank_file_transfer (transfer_id);

create index bank_entry_transfer on bank_entry (chain, transfer_id) where transfer_id is not null;
