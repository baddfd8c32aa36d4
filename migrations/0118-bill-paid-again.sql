-- An invoice that was paid a second time waits for a person. Noted by the loop that sums what came
-- in, so that Today needs not look through all invoices of a shop.
create table bill_paid_again (
  checkout_id text primary key references checkout,
  bill_id text not null references bill,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  paid_by text not null references checkout,
  noted_at timestamptz not null
);
comment on table bill_paid_again is 'Checkouts that paid a bill which another one had paid.';
comment on column bill_paid_again.checkout_id is 'The later one.';
comment on column bill_paid_again.bill_id is 'Which bill.';
comment on column bill_paid_again.merchant_id is 'Whose.';
comment on column bill_paid_again.environment is 'test or live.';
comment on column bill_paid_again.paid_by is 'The checkout that had paid it.';
comment on column bill_paid_again.noted_at is 'When it was paid again.';
create index bill_paid_again_owner on bill_paid_again (merchant_id, environment, noted_at);

insert into bill_paid_again (checkout_id, bill_id, merchant_id, environment, paid_by, noted_at)
select c.id, b.id, b.merchant_id, b.environment,
  first_value(c.id) over (partition by b.id order by c.completed_at, c.id), c.completed_at
from bill b join bill_checkout o on o.bill_id = b.id join checkout c on c.id = o.checkout_id
where c.state = 'COMPLETED';
delete from bill_paid_again where checkout_id = paid_by;
