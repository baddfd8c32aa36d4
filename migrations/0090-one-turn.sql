-- One writer of the turns of an account: what is drafted for the market of a network stands beside
-- what pays transfers, and nothing that spends the same is drafted while it may land.

alter table attempt drop constraint attempt_kind_check;
alter table attempt add constraint attempt_kind_check
  check (kind in ('PAY', 'CANCEL', 'OWN', 'CONVERSION'));
alter table attempt drop constraint attempt_transfer_ids_check;
alter table attempt add constraint attempt_transfer_ids_check
  check ((cardinality(transfer_ids) = 0) = (kind in ('OWN', 'CONVERSION')));
-- Nobody brings it back signed: it is over when it was seen, or ended.
alter table attempt drop constraint attempt_over;
alter table attempt add constraint attempt_over
  check (over_at is null or signed_at is not null or question is not null or kind = 'CONVERSION');
comment on column attempt.kind is 'PAY pays the transfers; CANCEL pays nobody but us, in the place of what pays them; OWN pays nobody but us, and is for no transfer; CONVERSION sells to ourselves at the market of the network.';
create index attempt_conversion on attempt (chain) where kind = 'CONVERSION' and over_at is null;

alter table market_draft add column attempt_id bigint references attempt;
comment on column market_draft.attempt_id is 'What nothing else is drafted beside; null of what was drafted before there was one.';
