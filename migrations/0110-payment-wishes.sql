-- What an account says of payment: in what it is credited, and which ways to pay it takes.
alter table merchant_environment
  add column settlement_asset text not null default 'ORIGIN',
  add column method_order text[] not null default '{}' check (cardinality(method_order) <= 500),
  add column methods_off text[] not null default '{}' check (cardinality(methods_off) <= 500);
comment on column merchant_environment.settlement_asset is 'What is sold in the dashboard, by links and invoices is credited in it unless somebody says otherwise there; ORIGIN as it was paid.';
comment on column merchant_environment.method_order is 'Ways to pay, as NETWORK ASSET, in the order in which customers see them; what is not listed comes after them.';
comment on column merchant_environment.methods_off is 'Ways to pay that new checkouts do not offer.';
