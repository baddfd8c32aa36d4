create table customer (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  email text not null,
  firstname text,
  lastname text,
  company text,
  adr1 text,
  adr2 text,
  zip text,
  city text,
  countrycode text check (countrycode ~ '^[A-Z]{2}$'),
  phonenumber text,
  taxid text,
  note text,
  meta text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
comment on table customer is 'People a merchant bills (wire.md section 5). Deleting hides the row and clears what is personal.';
comment on column customer.id is 'Random id of 12 characters, used as charge.customerId.';
comment on column customer.merchant_id is 'Owner.';
comment on column customer.environment is 'test or live.';
comment on column customer.email is 'The one field that is required.';
comment on column customer.firstname is 'First name.';
comment on column customer.lastname is 'Last name.';
comment on column customer.company is 'Company.';
comment on column customer.adr1 is 'First address line.';
comment on column customer.adr2 is 'Second address line.';
comment on column customer.zip is 'Postal code.';
comment on column customer.city is 'City.';
comment on column customer.countrycode is 'ISO 3166-1 alpha-2.';
comment on column customer.phonenumber is 'Telephone number as given.';
comment on column customer.taxid is 'Tax number as given.';
comment on column customer.note is 'Note of the merchant, never shown to the customer.';
comment on column customer.meta is 'JSON text, echoed as it came.';
comment on column customer.created_at is 'When it was made.';
comment on column customer.updated_at is 'Last change.';
comment on column customer.deleted_at is 'When it was deleted.';
create index customer_merchant on customer (merchant_id, environment, created_at desc, id);
