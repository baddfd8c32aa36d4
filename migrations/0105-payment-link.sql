-- Links that may be paid again and again, and which checkouts were opened by them.
create table payment_link (
  id text primary key,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('live', 'test')),
  token_hash bytea not null unique,
  title text not null,
  description text,
  currency text not null,
  amount numeric check (amount > 0),
  least_amount numeric check (least_amount > 0),
  most_amount numeric check (most_amount > 0),
  settlement_asset text not null,
  stock integer check (stock > 0),
  ends_at timestamptz,
  is_on boolean not null default true,
  created_at timestamptz not null,
  check (least_amount <= most_amount),
  check (amount is null or (least_amount is null and most_amount is null))
);
comment on table payment_link is 'Addresses by which a customer opens a checkout of a merchant, as often as it allows.';
comment on column payment_link.id is 'Ours.';
comment on column payment_link.merchant_id is 'Who is paid.';
comment on column payment_link.environment is 'live or test.';
comment on column payment_link.token_hash is 'SHA-256 of the token in its address, which is derived under the key file.';
comment on column payment_link.title is 'What is paid for, as the customer reads it.';
comment on column payment_link.description is 'More of it.';
comment on column payment_link.currency is 'Currency of the bill.';
comment on column payment_link.amount is 'What one payment costs; null: the customer chooses.';
comment on column payment_link.least_amount is 'What he may choose at least.';
comment on column payment_link.most_amount is 'What he may choose at most.';
comment on column payment_link.settlement_asset is 'An asset id, or ORIGIN.';
comment on column payment_link.stock is 'How many of its checkouts may be open or paid at once; null: any number.';
comment on column payment_link.ends_at is 'From then on it opens nothing.';
comment on column payment_link.is_on is 'Whether it opens anything.';
comment on column payment_link.created_at is 'When it was made.';
create index payment_link_of_merchant on payment_link (merchant_id, environment, created_at, id);

alter table checkout add column payment_link_id text references payment_link;
comment on column checkout.payment_link_id is 'The link by which it was opened; null: by none.';
create index checkout_of_link on checkout (payment_link_id, state) where payment_link_id is not null;
