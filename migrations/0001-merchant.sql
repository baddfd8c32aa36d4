-- Who calls: merchants, their API keys and secrets, and what belongs to the installation itself.

create table installation (
  singleton boolean primary key default true check (singleton),
  id text not null,
  key_check bytea not null,
  created_at timestamptz not null
);
comment on table installation is 'One row: which installation this database belongs to.';
comment on column installation.singleton is 'Always true: there is one row.';
comment on column installation.id is 'Random id of 12 characters, for people and support.';
comment on column installation.key_check is 'MAC of a constant under the key file: a database opened with another key file is refused at start.';
comment on column installation.created_at is 'When the installation was first started.';

create table merchant (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  name text not null check (length(name) between 1 and 200),
  sealed_data_key bytea not null,
  shop_name text,
  seller_info text,
  display_buyer_info boolean not null default false,
  display_seller_info boolean not null default false,
  fee_parts_per_million integer not null default 0 check (fee_parts_per_million between 0 and 500000),
  underpaid_tolerance_parts_per_million integer not null default 0
    check (underpaid_tolerance_parts_per_million between 0 and 20000),
  created_at timestamptz not null
);
comment on table merchant is 'An account that creates checkouts and owns a balance.';
comment on column merchant.id is 'Random id of 12 characters.';
comment on column merchant.name is 'Name for people.';
comment on column merchant.sealed_data_key is 'Data key of this merchant, wrapped by the key file (envelope encryption).';
comment on column merchant.shop_name is 'Default of pageSettings.shopName; the name when null.';
comment on column merchant.seller_info is 'Mail address of the merchant, shown when display_seller_info.';
comment on column merchant.display_buyer_info is 'Default of pageSettings.displayBuyerInfo.';
comment on column merchant.display_seller_info is 'Default of pageSettings.displaySellerInfo.';
comment on column merchant.fee_parts_per_million is 'Settlement fee collected by the service, of the gross amount.';
comment on column merchant.underpaid_tolerance_parts_per_million is 'A checkout this close to paid in full completes; 0 by default, at most 2 %.';
comment on column merchant.created_at is 'When the account was made.';

create table merchant_environment (
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  sealed_webhook_secret bytea not null,
  sealed_previous_webhook_secret bytea,
  previous_webhook_secret_until timestamptz,
  allowed_addresses text[] not null default '{}',
  primary key (merchant_id, environment)
);
comment on table merchant_environment is 'What a merchant has once for test and once for live.';
comment on column merchant_environment.merchant_id is 'The merchant.';
comment on column merchant_environment.environment is 'test or live; data of the two never mix.';
comment on column merchant_environment.sealed_webhook_secret is 'Secret (whsec_...) that signs webhooks sent to the webhook URL of a checkout.';
comment on column merchant_environment.sealed_previous_webhook_secret is 'The secret before the last rotation, still used beside the new one until its time.';
comment on column merchant_environment.previous_webhook_secret_until is 'End of the rotation.';
comment on column merchant_environment.allowed_addresses is 'IP allow-list (CIDR); empty means any address, except for money-moving routes, where empty means none.';

create table api_key (
  key text primary key check (key ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  label text,
  basic_allowed boolean not null,
  scopes text[],
  created_at timestamptz not null,
  revoked_at timestamptz
);
comment on table api_key is 'API keys (wire.md sections 1 and 3).';
comment on column api_key.key is 'The public part, exactly 12 characters.';
comment on column api_key.merchant_id is 'Owner.';
comment on column api_key.environment is 'Test keys see sandbox networks only, live keys real ones.';
comment on column api_key.label is 'Name for people.';
comment on column api_key.basic_allowed is 'Whether X-Basic is accepted: on for test keys, off for live keys until switched on.';
comment on column api_key.scopes is 'What the key may do; null means everything.';
comment on column api_key.created_at is 'When it was issued.';
comment on column api_key.revoked_at is 'When it stopped working, if it did.';
create index api_key_merchant on api_key (merchant_id, environment);

create table api_key_secret (
  id bigint generated always as identity primary key,
  key text not null references api_key,
  sealed_secret bytea not null,
  basic_hash bytea not null unique,
  created_at timestamptz not null,
  valid_until timestamptz
);
comment on table api_key_secret is 'Secrets of a key: one, or two while it is being rotated.';
comment on column api_key_secret.id is 'Order of issue; the highest valid one is the current secret.';
comment on column api_key_secret.key is 'The key it belongs to.';
comment on column api_key_secret.sealed_secret is 'The secret text (29 characters) sealed under the merchant data key: it must be recoverable to check an HMAC.';
comment on column api_key_secret.basic_hash is 'Keyed hash of the X-Basic value; the value itself is a credential and is not stored.';
comment on column api_key_secret.created_at is 'When it was issued.';
comment on column api_key_secret.valid_until is 'End of validity; null while it is the current one.';
create index api_key_secret_key on api_key_secret (key);
create unique index api_key_secret_current on api_key_secret (key) where valid_until is null;
comment on index api_key_secret_current is 'A key has at most one current secret; a rotated one has an end.';
