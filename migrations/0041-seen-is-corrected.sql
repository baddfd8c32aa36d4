-- What was merely seen may be corrected by its block, as long as nothing was credited for it: a node
-- may say anything about what is not mined yet. What was credited stays as it is.
drop trigger receipt_facts_stay on receipt;
create trigger receipt_facts_stay before update on receipt for each row
  when ((old.chain, old.credit_key) is distinct from (new.chain, new.credit_key)
    or (old.credited_generation is not null
      and (old.asset_id, old.units) is distinct from (new.asset_id, new.units)))
  execute function refuse_change();
