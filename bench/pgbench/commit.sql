-- Choosing a payment method, written by hand. Variables: key, merchant, pool and each (which
-- checkouts), k (0), and what a commitment of ours holds.
\set k :k + 1
\set n :client_id * :each + :k
begin;
select k.key, k.merchant_id, k.environment, k.basic_allowed, k.scopes, m.name, m.sealed_data_key,
  m.shop_name, m.seller_info, m.fee_parts_per_million, m.underpaid_tolerance_parts_per_million,
  e.call_addresses, e.withdrawal_addresses, s.sealed_secret, s.basic_hash
from api_key k
join merchant m on m.id = k.merchant_id
join merchant_environment e on e.merchant_id = k.merchant_id and e.environment = k.environment
join api_key_secret s on s.key = k.key
where k.key = :key and k.revoked_at is null and (s.valid_until is null or s.valid_until > now());
select id, merchant_id, environment, api_key, type, origin, customer_id, payload, meta,
  billing_currency, total, settlement_asset, language, webhook_url, return_url, cancel_url, offers,
  fee_parts_per_million, underpaid_tolerance_parts_per_million, state, version, event_sequence,
  source_network, source_asset_id, flags, created_at, expires_at, completed_at, cancelled_at,
  accepted_underpaid_at, settle_at
from checkout where id = substr(md5(:pool::text || :n::text), 1, 12) for update;
select checkout_id, network, asset_id, instruction_id, payment_units, settlement_asset_id,
  settlement_units, net_units, fee_units, committed_at, expires_at
from commitment where checkout_id = substr(md5(:pool::text || :n::text), 1, 12);
insert into address_source (chain, descriptor, next_index, created_at)
values (:chain, 'hand-written', 1, now())
on conflict (chain, descriptor) do update set next_index = address_source.next_index + 1
returning id as source, next_index - 1 as number
\gset
insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id, destination,
  address, source_id, source_index, integrity_mac, created_at)
values (substr(md5('i' || :pool::text || :n::text), 1, 12), :chain, :merchant, 'checkout',
  substr(md5(:pool::text || :n::text), 1, 12), :asset,
  'tltc1q' || md5(:pool::text || :n::text) || 'qqqqqq',
  'tltc1q' || md5(:pool::text || :n::text) || 'qqqqqq', :source, :number,
  sha256(decode(md5(:n::text), 'hex')), now());
insert into commitment (checkout_id, network, asset_id, instruction_id, payment_units,
  settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at, expires_at)
values (substr(md5(:pool::text || :n::text), 1, 12), 'LITECOIN', :asset,
  substr(md5('i' || :pool::text || :n::text), 1, 12), :units::numeric, :asset,
  :units::numeric, :net::numeric, :fee::numeric, :rates, now(), now() + interval '60 minutes');
update checkout set source_network = 'LITECOIN', source_asset_id = :asset,
  expires_at = now() + interval '60 minutes', state = 'AWAITING_PAYMENT', version = 2,
  settle_at = now() + interval '60 minutes'
where id = substr(md5(:pool::text || :n::text), 1, 12);
insert into checkout_state_change (checkout_id, version, state, changed_at)
values (substr(md5(:pool::text || :n::text), 1, 12), 2, 'AWAITING_PAYMENT', now());
commit;
