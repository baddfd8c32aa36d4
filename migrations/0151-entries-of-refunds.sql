-- What was refunded stands in the report of taxes. Without this index each page looks through every
-- entry of the shop for the few that are of refunds. Writing to the ledger waits while it is built:
-- with many millions of entries make it before the upgrade, by `create index concurrently` and what
-- stands behind it here, while the version before serves (docs/operate/upgrade.md).
create index if not exists ledger_entry_refunded
  on ledger_entry (merchant_id, environment, occurred_at, id)
  where is_reversal or kind in ('refund-complete', 'suspense-came-back');
