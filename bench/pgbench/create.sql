-- Creating a checkout, written by hand. Variables: key, merchant, and what a checkout of ours holds.
\set n random(1, 9000000000000000)
begin;
select k.key, k.merchant_id, k.environment, k.basic_allowed, k.scopes, m.name, m.sealed_data_key,
  m.shop_name, m.seller_info, m.fee_parts_per_million, m.underpaid_tolerance_parts_per_million,
  e.call_addresses, e.withdrawal_addresses, s.sealed_secret, s.basic_hash
from api_key k
join merchant m on m.id = k.merchant_id
join merchant_environment e on e.merchant_id = k.merchant_id and e.environment = k.environment
join api_key_secret s on s.key = k.key
where k.key = :key and k.revoked_at is null and (s.valid_until is null or s.valid_until > now());
insert into checkout (id, merchant_id, environment, api_key, type, origin, page_token_hash, payload,
  meta, billing_currency, total, settlement_asset, language, webhook_url, return_url, offers,
  fee_parts_per_million, underpaid_tolerance_parts_per_million, late_floor_parts_per_million, state,
  created_at, expires_at, quoted_until, settle_at)
values (substr(md5(:n::text), 1, 12), :merchant, 'test', :key, 'HOSTED', 'API',
  sha256(decode(md5(:n::text), 'hex')), :payload, :meta, 'EUR', :total::numeric, 'ORIGIN', 'auto',
  :webhook, :return_url, :offers, 10000, 0, 900000, 'NEW', now(), now() + interval '24 hours',
  now() + interval '60 minutes', now() + interval '24 hours');
insert into checkout_state_change (checkout_id, version, state, changed_at)
values (substr(md5(:n::text), 1, 12), 1, 'NEW', now());
commit;
