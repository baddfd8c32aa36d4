-- Crediting one payment, written by hand: the fact, the ledger, the state, the webhook in its queue.
-- Variables: merchant, pool and each (which checkouts), k (0), the accounts, and what receipt, credit
-- and event of ours hold. The balances move by the trigger of the postings, as ours do.
\set k :k + 1
\set n :client_id * :each + :k
begin;
select id, merchant_id, environment, api_key, type, origin, customer_id, payload, meta,
  billing_currency, total, settlement_asset, language, webhook_url, return_url, cancel_url, offers,
  fee_parts_per_million, underpaid_tolerance_parts_per_million, state, version, event_sequence,
  source_network, source_asset_id, flags, created_at, expires_at, completed_at, cancelled_at,
  accepted_underpaid_at, settle_at
from checkout where id = substr(md5(:pool::text || :n::text), 1, 12) for update;
select checkout_id, network, asset_id, instruction_id, payment_units, settlement_asset_id,
  settlement_units, net_units, fee_units, committed_at, expires_at
from commitment where checkout_id = substr(md5(:pool::text || :n::text), 1, 12);
select id as instruction, chain, merchant_id, purpose, purpose_id, asset_id, destination, address, memo,
  memo_type, destination_tag, source_id, source_index, integrity_mac, created_at
from deposit_instruction
where purpose = 'checkout' and purpose_id = substr(md5(:pool::text || :n::text), 1, 12);
insert into receipt (chain, credit_key, instruction_id, merchant_id, purpose, purpose_id, asset_id,
  units, transaction, destination, spends, status, seen_at, block_height, block_hash, mined_at,
  confirmations_required, final_at, credited_generation)
values (:chain, md5(:pool::text || :n::text) || md5('t' || :pool::text || :n::text) || ':0',
  substr(md5('i' || :pool::text || :n::text), 1, 12), :merchant, 'checkout',
  substr(md5(:pool::text || :n::text), 1, 12), :asset, :units::numeric,
  md5(:pool::text || :n::text) || md5('t' || :pool::text || :n::text),
  'tltc1q' || md5(:pool::text || :n::text) || 'qqqqqq',
  array[md5('s' || :pool::text || :n::text) || md5('u' || :pool::text || :n::text) || ':1'],
  'FINAL', now(), 1000, :block_hash, now(), 1, now(), 1)
returning id as receipt
\gset
insert into receipt_credit (receipt_id, generation, checkout_id, network, asset_id, units,
  locked_units, rate_basis, settlement_asset_id, settlement_units, net_units, fee_units, evidence,
  account, credited_at)
values (:receipt, 1, substr(md5(:pool::text || :n::text), 1, 12), 'LITECOIN', :asset,
  :units::numeric, :units::numeric, 'LOCKED', :asset, :units::numeric, :net::numeric,
  :fee::numeric, :evidence, 'available', now());
insert into ledger_entry (cause_key, kind, environment, merchant_id, subject_id, evidence, occurred_at)
values ('receipt:' || :receipt::text || ':1', 'checkout-receipt-available', 'test', :merchant,
  substr(md5(:pool::text || :n::text), 1, 12), :evidence, now())
returning id as entry
\gset
insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
values (:entry, 1, :custody, :asset, 'test', '', :units::numeric),
  (:entry, 2, :available, :asset, 'test', :merchant, -(:net::numeric)),
  (:entry, 3, :fees, :asset, 'test', '', -(:fee::numeric));
update checkout set state = 'COMPLETED', version = version + 1, event_sequence = event_sequence + 1,
  flags = '{}', completed_at = now(), settle_at = null, settle_failures = 0, parked_reason = null
where id = substr(md5(:pool::text || :n::text), 1, 12);
insert into checkout_state_change (checkout_id, version, state, changed_at)
values (substr(md5(:pool::text || :n::text), 1, 12), 3, 'COMPLETED', now());
insert into event (id, merchant_id, environment, type, subject, subject_id, sequence, cause_key, body,
  api_key, created_at)
values (substr(md5('e' || :pool::text || :n::text), 1, 12), :merchant, 'test', 'CHECKOUT_COMPLETED',
  'checkout', substr(md5(:pool::text || :n::text), 1, 12), 1,
  'checkout:' || :pool::text || :n::text || '-completed', :body, :key, now());
insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state, next_attempt_at,
  created_at)
values (substr(md5('e' || :pool::text || :n::text), 1, 12), :merchant, 'test', :webhook,
  :merchant::text || ' test https://shop.example', 'PENDING', now(), now());
commit;
