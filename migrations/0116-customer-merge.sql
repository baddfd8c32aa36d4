-- Two records of one customer become one: the other keeps its id, as another name of it.
alter table customer add column merged_into text references customer,
  add constraint customer_merged check (merged_into is null or deleted_at is not null),
  add constraint customer_merged_not_into_itself check (merged_into <> id);
comment on column customer.merged_into is 'The customer that it became one with: its id names that one. Null of all others.';
create index customer_merged_into on customer (merged_into) where merged_into is not null;
