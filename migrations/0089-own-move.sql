-- What is drafted to move coins of ours to ourselves (many small ones as one, a child that pays for
-- its parent) comes back signed as what pays transfers does.

alter table attempt drop constraint attempt_kind_check;
alter table attempt add constraint attempt_kind_check check (kind in ('PAY', 'CANCEL', 'OWN'));
alter table attempt drop constraint attempt_transfer_ids_check;
alter table attempt add constraint attempt_transfer_ids_check
  check ((cardinality(transfer_ids) = 0) = (kind = 'OWN'));
comment on column attempt.kind is 'PAY pays the transfers; CANCEL pays nobody but us, in the place of what pays them; OWN pays nobody but us, and is for no transfer.';
