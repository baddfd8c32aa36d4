-- Merchants ask payers before a way to pay is offered: fields of their own, their terms, a tip (decision
-- 0096). What is asked of a checkout is fixed when it is created, what was answered when a way is chosen.
alter table merchant add column asking text;
comment on column merchant.asking is 'JSON text: what hosted pages ask payers unless a checkout or a link says otherwise; null: nothing.';

alter table payment_link add column asking text;
comment on column payment_link.asking is 'JSON text: what its checkouts ask payers; null: as the account does.';

alter table merchant_page add column return_method text check (return_method in ('GET', 'POST'));
comment on column merchant_page.return_method is 'How customers come back to the shop; null: by GET.';

alter table checkout
  add column asking text,
  add column answers text,
  add column answered_at timestamptz,
  add column terms_accepted_at timestamptz,
  add column tip numeric(36,18) not null default 0 check (tip >= 0),
  add constraint checkout_tip_is_part_of_total check (tip < total),
  add constraint checkout_answers_were_asked
    check (asking is not null or (answers is null and answered_at is null and terms_accepted_at is null and tip = 0));
comment on column checkout.asking is 'JSON text: what the payer is asked before a way to pay is offered; null: nothing.';
comment on column checkout.answers is 'JSON text: the answers by key; null: none yet, or erased.';
comment on column checkout.answered_at is 'When they were given last.';
comment on column checkout.terms_accepted_at is 'When the payer accepted the terms.';
comment on column checkout.tip is 'What the payer added in the currency of the bill; part of the total.';

create function refuse_changed_total() returns trigger language plpgsql as $$
begin
  if (new.total, new.tip) is distinct from (old.total, old.tip)
    and exists (select from commitment where checkout_id = new.id) then
    raise exception 'the total of checkout % is fixed, a way to pay was chosen', new.id;
  end if;
  return new;
end $$;
create trigger checkout_total_is_fixed before update of total, tip on checkout
  for each row execute function refuse_changed_total();
