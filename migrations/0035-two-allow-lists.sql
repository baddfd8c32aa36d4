-- Which addresses may call and which may move money out are two settings: listing one for the second
-- closes nothing else. What was listed so far meant both, and goes on meaning both.
alter table merchant_environment add column withdrawal_addresses text[] not null default '{}';
comment on column merchant_environment.withdrawal_addresses is 'Addresses (CIDR) from which money may be moved out; empty means none.';
update merchant_environment set withdrawal_addresses = allowed_addresses;

alter table merchant_environment rename column allowed_addresses to call_addresses;
alter table merchant_environment alter column call_addresses drop not null;
alter table merchant_environment alter column call_addresses drop default;
update merchant_environment set call_addresses = null where call_addresses = '{}';
comment on column merchant_environment.call_addresses is 'Addresses (CIDR) that may call at all; null means any, empty means none.';
