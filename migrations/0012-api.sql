create table idempotency_key (
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  status integer not null,
  sealed_answer bytea not null,
  created_at timestamptz not null,
  keep_until timestamptz not null,
  primary key (merchant_id, environment, key)
);
comment on table idempotency_key is 'Answers of requests that carried an Idempotency-Key, stored with their effect (wire.md section 4).';
comment on column idempotency_key.merchant_id is 'Caller.';
comment on column idempotency_key.environment is 'test or live.';
comment on column idempotency_key.key is 'The header, as given.';
comment on column idempotency_key.fingerprint is 'SHA-256 of method, route and raw body.';
comment on column idempotency_key.status is 'HTTP status of the answer.';
comment on column idempotency_key.sealed_answer is 'Body of the answer, sealed under the merchant data key: it may hold a secret, a page address or a claim link.';
comment on column idempotency_key.created_at is 'First use.';
comment on column idempotency_key.keep_until is 'Forgotten after that: 30 days for money, 7 days else.';
create index idempotency_key_old on idempotency_key (keep_until);

create table used_signature (
  api_key text not null references api_key,
  mac bytea not null check (length(mac) = 32),
  used_at timestamptz not null,
  primary key (api_key, mac)
);
comment on table used_signature is 'Signatures of money-moving requests, each good for one (X2).';
comment on column used_signature.api_key is 'The key that signed.';
comment on column used_signature.mac is 'The MAC as computed.';
comment on column used_signature.used_at is 'When; kept for 120 seconds.';
create index used_signature_old on used_signature (used_at);
