-- While the brake of a chain is on, large payments are held whatever their depth.
alter table receipt add column held_at timestamptz;
alter table receipt add constraint receipt_held_in_block check (held_at is null or status = 'INCLUDED');
comment on column receipt.held_at is 'Since when it is deep enough and held by the brake of its chain; null when it is not.';
create index receipt_held on receipt (chain) where held_at is not null;
