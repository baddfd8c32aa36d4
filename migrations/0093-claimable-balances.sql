-- Money on Stellar that is left for a receiver without a trust line to claim, and that we take back
-- where nobody does.

alter table departure_part
  add column claimable_id text check (claimable_id ~ '^[0-9a-f]{72}$'),
  add column reclaimable_at timestamptz,
  add constraint departure_part_claimable_check
    check (reclaimable_at is null or claimable_id is not null);
comment on column departure_part.claimable_id is 'The claimable balance that it lies in until its receiver fetches it.';
comment on column departure_part.reclaimable_at is 'From when on we may take it back; null where we never may.';
create index departure_part_claimable on departure_part (chain, claimable_id)
  where claimable_id is not null;

alter table transfer add column claimable text;
comment on column transfer.claimable is 'The claimable balance in which it was left for its receiver, and from when on we may take it back.';

alter table attempt drop constraint attempt_kind_check;
alter table attempt add constraint attempt_kind_check
  check (kind in ('PAY', 'CANCEL', 'OWN', 'CONVERSION', 'TAKE_BACK'));
alter table attempt drop constraint attempt_transfer_ids_check;
alter table attempt add constraint attempt_transfer_ids_check
  check ((cardinality(transfer_ids) = 0) = (kind in ('OWN', 'CONVERSION', 'TAKE_BACK')));
alter table attempt drop constraint attempt_over;
alter table attempt add constraint attempt_over
  check (over_at is null or signed_at is not null or question is not null
    or kind in ('CONVERSION', 'TAKE_BACK'));
drop index attempt_conversion;
create index attempt_reserved on attempt (chain)
  where kind in ('CONVERSION', 'TAKE_BACK') and over_at is null;
comment on column attempt.kind is 'PAY pays the transfers; CANCEL pays nobody but us, in the place of what pays them; OWN pays nobody but us, and is for no transfer; CONVERSION sells to ourselves at the market of the network; TAKE_BACK fetches what nobody claimed.';
