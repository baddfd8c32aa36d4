-- What arrived, what it was worth and what was told never changes: triggers refuse it, as they do for
-- the ledger. What a row goes through (its state, its block, when it was released) does change.
create trigger receipt_facts_stay before update on receipt for each row
  when ((old.chain, old.credit_key, old.asset_id, old.units)
    is distinct from (new.chain, new.credit_key, new.asset_id, new.units))
  execute function refuse_change();
create trigger receipt_stays before delete on receipt
  for each row execute function refuse_change();
create trigger receipt_credit_facts_stay before update on receipt_credit for each row
  when ((old.receipt_id, old.generation, old.checkout_id, old.asset_id, old.units,
      old.settlement_asset_id, old.settlement_units, old.net_units, old.fee_units, old.evidence)
    is distinct from (new.receipt_id, new.generation, new.checkout_id, new.asset_id, new.units,
      new.settlement_asset_id, new.settlement_units, new.net_units, new.fee_units, new.evidence))
  execute function refuse_change();
create trigger receipt_credit_stays before delete on receipt_credit
  for each row execute function refuse_change();
create trigger deposit_credit_facts_stay before update on deposit_credit for each row
  when ((old.receipt_id, old.generation, old.deposit_address_id, old.asset_id, old.units,
      old.net_units, old.fee_units, old.account)
    is distinct from (new.receipt_id, new.generation, new.deposit_address_id, new.asset_id,
      new.units, new.net_units, new.fee_units, new.account))
  execute function refuse_change();
create trigger deposit_credit_stays before delete on deposit_credit
  for each row execute function refuse_change();
create trigger event_facts_stay before update on event for each row
  when ((old.type, old.subject, old.subject_id, old.sequence, old.body)
    is distinct from (new.type, new.subject, new.subject_id, new.sequence, new.body))
  execute function refuse_change();
