-- What owners of a Safe have signed is carried out by an account of ours that pays the gas: a
-- transaction with a nonce of its own, beside the attempt that it carries.

alter table sweep_move drop constraint sweep_move_kind_check;
alter table sweep_move add constraint sweep_move_kind_check
  check (kind in ('SWEEP', 'TOP_UP', 'CARRY_OUT'));
alter table sweep_move drop constraint sweep_move_units_check;
alter table sweep_move add constraint sweep_move_units_check
  check (units > 0 or kind = 'CARRY_OUT' and units = 0);
alter table sweep_move add column attempt_id bigint references attempt (id);
alter table sweep_move add column is_given_up boolean not null default false;
alter table sweep_move add constraint sweep_move_attempt_check
  check ((attempt_id is not null) = (kind = 'CARRY_OUT'));
drop index sweep_move_once;
create unique index sweep_move_once on sweep_move (chain, source, receiver, asset_id)
  where ended_at is null and kind <> 'CARRY_OUT';
create unique index sweep_move_carries on sweep_move (attempt_id)
  where ended_at is null and kind = 'CARRY_OUT';
comment on table sweep_move is 'A transaction of an address of ours that pays nobody else: money to where it is collected, coins that pay for that, or what owners of a Safe have signed.';
comment on column sweep_move.kind is 'SWEEP to where money is collected, TOP_UP of an address that lacks coins for gas, CARRY_OUT of what owners of a Safe have signed.';
comment on column sweep_move.receiver is 'Who gets it: the collecting address, or an address of ours; of CARRY_OUT the Safe.';
comment on column sweep_move.asset_id is 'What is moved; of CARRY_OUT the coin in which the gas is paid.';
comment on column sweep_move.units is 'How much, as planned, and then as drafted; of CARRY_OUT nothing.';
comment on column sweep_move.attempt_id is 'What is carried out; what takes the place of that under the same nonce of the Safe is carried out in its place.';
comment on column sweep_move.is_given_up is 'Nothing to itself is signed or asked for in its place: what it carried can land no more.';
