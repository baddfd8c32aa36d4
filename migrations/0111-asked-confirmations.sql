-- How deep a payment has to be buried for an account that asks for more than the server.
alter table merchant_environment add column confirmations text not null default '{}';
comment on column merchant_environment.confirmations is 'JSON text: by network id, confirmations for payments worth less than 1,000 USD, less than 50,000 USD and above; what the server asks is the least.';
create index merchant_environment_confirmations on merchant_environment (environment)
  where confirmations <> '{}';
