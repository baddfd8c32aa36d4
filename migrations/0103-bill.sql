-- Invoices that a shop sends. In code they are bills: `invoice` is a request for one payment over
-- Lightning. What was issued stays as it was issued, and its number is never left out.
create table bill_sender (
  merchant_id text primary key references merchant,
  party text not null
);
comment on table bill_sender is 'Who sends the bills of a merchant, as it has to stand on them.';
comment on column bill_sender.merchant_id is 'Whose bills.';
comment on column bill_sender.party is 'JSON text: name, address, VAT id, tax number, e-mail.';

create table bill_range (
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  prefix text not null check (prefix ~ '^([A-Za-z0-9/._-]{0,15}[A-Za-z/._-])?$'),
  last integer not null check (last > 0),
  primary key (merchant_id, environment, prefix)
);
comment on table bill_range is 'Numbers of bills: one row for each range, locked while one is given.';
comment on column bill_range.merchant_id is 'Whose.';
comment on column bill_range.environment is 'test or live.';
comment on column bill_range.prefix is 'What stands before the number; it ends with no digit, so that two ranges never write the same.';
comment on column bill_range.last is 'The last number that was given; all from 1 on were.';

create table bill (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('INVOICE', 'CANCELLATION')),
  state text not null check (state in ('DRAFT', 'ISSUED', 'CANCELLED')),
  page_token_hash bytea not null unique,
  language text not null,
  payload text not null,
  billing_currency text not null,
  total numeric not null check (total > 0),
  tax_category text not null check (tax_category in ('S', 'Z', 'E', 'AE', 'G')),
  tax_reason text,
  note text,
  buyer text not null,
  seller text,
  due_days integer not null check (due_days between 0 and 365),
  prefix text not null,
  number integer check (number > 0),
  name text,
  issued_on text check (issued_on ~ '^\d{4}-\d\d-\d\d$'),
  due_on text check (due_on ~ '^\d{4}-\d\d-\d\d$'),
  delivered_on text check (delivered_on ~ '^\d{4}-\d\d-\d\d$'),
  cancels text unique references bill,
  created_at timestamptz not null,
  issued_at timestamptz,
  cancelled_at timestamptz,
  constraint bill_number unique (merchant_id, environment, prefix, number),
  constraint bill_name unique (merchant_id, environment, name),
  check ((state = 'DRAFT') = (number is null) and (number is null) = (name is null)),
  check ((number is null) = (seller is null) and (number is null) = (issued_at is null)),
  check ((number is null) = (issued_on is null) and (number is null) = (due_on is null)),
  check ((state = 'CANCELLED') = (cancelled_at is not null)),
  check ((kind = 'CANCELLATION') = (cancels is not null)),
  check (kind = 'INVOICE' or state = 'ISSUED')
);
comment on table bill is 'An invoice that a shop sends, or the document that cancels one.';
comment on column bill.id is 'Identifier.';
comment on column bill.merchant_id is 'Who sends it.';
comment on column bill.environment is 'test or live.';
comment on column bill.kind is 'INVOICE, or CANCELLATION of one.';
comment on column bill.state is 'DRAFT, ISSUED or CANCELLED; that it is paid is what its checkouts say.';
comment on column bill.page_token_hash is 'SHA-256 of the token in the address of its page.';
comment on column bill.language is 'Language that it is written in.';
comment on column bill.payload is 'JSON text: its charge, as in a request for a checkout.';
comment on column bill.billing_currency is 'Currency of the charge.';
comment on column bill.total is 'What it comes to, rounded to that currency.';
comment on column bill.tax_category is 'Of its lines (UNCL5305): S taxed, Z at zero, E exempt, AE reverse charge, G export.';
comment on column bill.tax_reason is 'Why no tax is charged; null where it is.';
comment on column bill.note is 'What the merchant says on it; null: nothing.';
comment on column bill.buyer is 'JSON text: who is billed, as it stands on it.';
comment on column bill.seller is 'JSON text: who sends it, as it was when it was issued; null before.';
comment on column bill.due_days is 'Days from its date in which it is to be paid.';
comment on column bill.prefix is 'Range of its number.';
comment on column bill.number is 'In its range; null of a draft.';
comment on column bill.name is 'Prefix and number, as it stands on it; null of a draft.';
comment on column bill.issued_on is 'Its date (UTC); null of a draft.';
comment on column bill.due_on is 'By when it is to be paid; null of a draft.';
comment on column bill.delivered_on is 'When what is billed was delivered; null of a draft: on the date of the bill.';
comment on column bill.cancels is 'The bill that it cancels; null of an invoice.';
comment on column bill.created_at is 'When it was drafted.';
comment on column bill.issued_at is 'When it got its number; null of a draft.';
comment on column bill.cancelled_at is 'When it was cancelled; null: it was not.';
create index bill_owner on bill (merchant_id, environment, created_at desc, id);

-- A number is given for good: nothing of an issued bill changes but that it is cancelled.
create function keep_issued_bill() returns trigger language plpgsql as $$
begin
  if old.state = 'DRAFT' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - array['state', 'cancelled_at']
      = to_jsonb(old) - array['state', 'cancelled_at']
      and (old.state = new.state or (old.state = 'ISSUED' and new.state = 'CANCELLED')) then
    return new;
  end if;
  raise exception 'bill % is issued', old.id
    using errcode = 'restrict_violation', constraint = 'bill_stays_as_issued';
end $$;
create trigger bill_stays_as_issued before update or delete on bill
  for each row execute function keep_issued_bill();
create trigger bill_is_kept before truncate on bill
  for each statement execute function refuse_change();

create table bill_checkout (
  bill_id text not null references bill,
  checkout_id text primary key references checkout,
  opened_at timestamptz not null
);
comment on table bill_checkout is 'Checkouts that were opened to pay a bill.';
comment on column bill_checkout.bill_id is 'Which bill.';
comment on column bill_checkout.checkout_id is 'By which it may be paid.';
comment on column bill_checkout.opened_at is 'When it was opened.';
create index bill_checkout_bill on bill_checkout (bill_id, opened_at);
