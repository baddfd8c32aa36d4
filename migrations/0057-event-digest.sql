-- What was told can be proved: a digest of each event goes into the seals of the ledger, and stays
-- when the event goes after its time (src/event/prove-events.ts, decision 30).

-- Events of before this are numbered as they lie, and sealed from now on as they are found.
alter table event add column number bigint not null generated always as identity
  constraint event_number_key unique check (number >= 1);
comment on column event.number is 'Order of their digests; gaps are possible, and a lower one may commit later.';

drop trigger event_facts_stay on event;
create trigger event_facts_stay before update on event for each row
  when ((old.id, old.number, old.merchant_id, old.environment, old.type, old.subject,
      old.subject_id, old.sequence, old.cause_key, old.body, old.api_key, old.created_at)
    is distinct from (new.id, new.number, new.merchant_id, new.environment, new.type, new.subject,
      new.subject_id, new.sequence, new.cause_key, new.body, new.api_key, new.created_at))
  execute function refuse_change();

create table event_digest (
  number bigint primary key check (number >= 1),
  event_id text not null,
  told_at timestamptz not null,
  digest bytea not null check (length(digest) = 32)
);
comment on table event_digest is 'What each event was when it was sealed; stays when the event goes.';
comment on column event_digest.number is 'Number of the event.';
comment on column event_digest.event_id is 'Its id, no reference: it may be gone.';
comment on column event_digest.told_at is 'When it happened: it does not go before its time.';
comment on column event_digest.digest is 'SHA-256 over all of it and where it was to be sent.';
create trigger event_digest_immutable before update or delete on event_digest
  for each row execute function refuse_change();
create trigger event_digest_no_truncate before truncate on event_digest
  for each statement execute function refuse_change();

-- A seal covers entries, digests or both. Seals of before this cover entries alone.
alter table ledger_seal
  add column last_event bigint not null default 0 check (last_event >= 0),
  add column event_count integer not null default 0 check (event_count >= 0),
  add column events_hash bytea check (length(events_hash) = 32),
  drop constraint ledger_seal_last_entry_key,
  drop constraint ledger_seal_last_entry_fkey,
  drop constraint ledger_seal_entry_count_check,
  add constraint ledger_seal_counts check (entry_count >= 0 and entry_count + event_count > 0);
comment on column ledger_seal.last_entry is 'Highest entry that is sealed, 0 for none: the batch holds every entry above the last one of the seal before.';
comment on column ledger_seal.last_event is 'Highest number of a digest that is sealed, 0 for none.';
comment on column ledger_seal.event_count is 'How many digests the batch seals.';
comment on column ledger_seal.events_hash is 'SHA-256 over them; null in seals of entries alone, from before events were sealed.';
comment on column ledger_seal.hash is 'SHA-256 over number, previous_hash, events_hash and the canonical text of the entries.';
