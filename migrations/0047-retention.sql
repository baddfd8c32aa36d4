-- Rates that a past window or an entry of the ledger names stay; they are looked up by time.
create index past_window_committed on past_window using brin (committed_at) with (pages_per_range = 16);
create index ledger_entry_occurred on ledger_entry using brin (occurred_at) with (pages_per_range = 16);

-- Events that were delivered go after a time (src/event/forget-events.ts). What they told is not told
-- again: their causes stay here.
create table told_cause (
  cause uuid primary key
);
comment on table told_cause is 'Causes of events that were deleted after their time: none is told twice.';
comment on column told_cause.cause is 'MD5 of the cause key, which only has to be told from others of our own making.';

-- After the row is in: whoever waited for the unique key of an event that is being deleted sees here
-- that it was told.
create function refuse_told_cause() returns trigger language plpgsql as $$
begin
  if exists (select from told_cause where cause = md5(new.cause_key)::uuid) then
    raise unique_violation using message = 'this cause was told by an event that was deleted since',
      constraint = 'event_cause_key_key', table = 'event';
  end if;
  return null;
end
$$;
create trigger event_is_told_once after insert on event
  for each row execute function refuse_told_cause();

create index event_created on event (created_at, id);
-- A delivery is deleted together with those that repeat it.
create index webhook_delivery_redelivery on webhook_delivery (redelivery_of)
  where redelivery_of is not null;
