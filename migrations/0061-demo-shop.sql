-- Each visitor of the demo has a shop of his own. There are so many: accounts are never deleted, so
-- that of a visitor who is gone is handed on.

create table demo_shop (
  visitor text primary key check (visitor ~ '^[0-9a-f]{64}$'),
  key text unique references api_key,
  taken_at timestamptz not null,
  used_at timestamptz not null
);
comment on table demo_shop is 'A test account that acts as the demo shop of one visitor.';
comment on column demo_shop.visitor is 'Whose it is: SHA-256 of the secret in his cookie.';
comment on column demo_shop.key is 'API key of the account; null until there is one.';
comment on column demo_shop.taken_at is 'When this visitor got it.';
comment on column demo_shop.used_at is 'When he ordered last.';
create index demo_shop_used on demo_shop (used_at);
create index demo_shop_taken on demo_shop (taken_at);
