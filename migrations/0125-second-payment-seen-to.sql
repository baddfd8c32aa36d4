-- A second payment of an invoice may be settled outside, for example paid back by hand. Whoever says
-- so says why, and then it waits for nobody any more.
alter table bill_paid_again
  add column seen_to_at timestamptz,
  add column seen_to_by text,
  add column seen_to_reason text,
  add constraint bill_paid_again_seen_to
    check (num_nonnulls(seen_to_at, seen_to_by, seen_to_reason) in (0, 3));
comment on column bill_paid_again.seen_to_at is 'When somebody said that it is settled; null: it waits.';
comment on column bill_paid_again.seen_to_by is 'Who said so, as the trail names him.';
comment on column bill_paid_again.seen_to_reason is 'Why, in his words.';
create index bill_paid_again_waiting on bill_paid_again (merchant_id, environment, noted_at)
  where seen_to_at is null;
