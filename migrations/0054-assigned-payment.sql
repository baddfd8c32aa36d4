-- Money in suspense that a person assigns to a checkout is a payment of it, decided like any other.

alter table receipt add column unasked_settlement_asset_id text;
comment on column receipt.unasked_settlement_asset_id is 'For money that a person assigned to a checkout that never asked for it: the asset the merchant is credited in.';

alter table suspense_act add column is_payment boolean not null default false
  check (not is_payment or (kind = 'ASSIGN' and checkout_id is not null));
comment on column suspense_act.is_payment is 'Whether it pays for the checkout: then the receipt is moved there, and its settlement credits it.';
