-- Which rates were used is looked up by time, once for each batch of rates that is forgotten. Rows are
-- added in order of time, so an index of a few pages finds them.
create index commitment_committed on commitment using brin (committed_at) with (pages_per_range = 16);
create index swap_created on swap using brin (created_at) with (pages_per_range = 16);
create index receipt_credit_credited on receipt_credit using brin (credited_at) with (pages_per_range = 16);
