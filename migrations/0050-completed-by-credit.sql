-- A checkout is completed by money that was credited, and by nothing else: looked at when the
-- transaction ends, for state and credits are written in one. Who switches the triggers off is found
-- by `ledger verify` (S4).
create function refuse_completed_without_credit() returns trigger language plpgsql as $$
begin
  if not exists (select from receipt_credit where checkout_id = new.id
      and (account = 'available' or released_at is not null)) then
    raise check_violation using constraint = 'checkout_completed_by_credit', table = 'checkout',
      message = 'checkout ' || new.id || ' is COMPLETED and nothing was credited for it';
  end if;
  return null;
end
$$;
create constraint trigger checkout_completed_by_credit after update on checkout
  deferrable initially deferred for each row
  when (new.state = 'COMPLETED' and old.state <> 'COMPLETED')
  execute function refuse_completed_without_credit();
create constraint trigger checkout_not_born_completed after insert on checkout
  deferrable initially deferred for each row
  when (new.state = 'COMPLETED')
  execute function refuse_completed_without_credit();
