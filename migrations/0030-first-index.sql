-- Memos, tags and references of a new database begin anywhere, so that they are not those which an
-- older database gave out for the same account: its customers may still pay.
alter table address_source add column first_index bigint not null default 0
  check (first_index >= 0 and first_index <= next_index);
comment on column address_source.first_index is 'The first index given out: 0 for derived addresses, drawn at random for memos, tags and references.';

-- A plan that is made once for all chains cannot use an index on the rows of one.
drop index deposit_instruction_invoices;
create index deposit_instruction_newest on deposit_instruction (chain, created_at);
