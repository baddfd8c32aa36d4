-- Checkouts of one state and events of one type are listed by themselves: without these a list of
-- what a shop has few of looks through all that it has (decision 102). Writing waits while they are
-- built: with many millions of rows make both before the upgrade, by `create index concurrently` and
-- what stands behind it here, while the version before serves (docs/operate/upgrade.md).
create index if not exists checkout_state
  on checkout (merchant_id, environment, state, created_at, id);
create index if not exists event_type on event (merchant_id, environment, type, created_at, id);
