-- What one process does for all of them: who does it now, and until when unless he says so again.
create table lease (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  lease_until timestamptz not null,
  awaited_at timestamptz
);
comment on table lease is 'What one process at a time does for all: held by one, renewed while it lives, taken over when it lapses.';
comment on column lease.name is 'What is done: watch and the chain.';
comment on column lease.holder is 'The process that does it, with its machine, number and start (nameProcess of src/runtime/process-lock.ts).';
comment on column lease.epoch is 'Rises with each holder: what was begun under an older one is not written (C14).';
comment on column lease.lease_until is 'Nobody else begins before, by the clock of the database.';
comment on column lease.awaited_at is 'When another process asked for it last, in vain.';
