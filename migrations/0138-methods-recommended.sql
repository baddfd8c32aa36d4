-- What a shop would have its customers pay with.
alter table merchant_environment
  add column methods_recommended text[] not null default '{}'
    check (cardinality(methods_recommended) <= 500);
comment on column merchant_environment.methods_recommended is 'Ways to pay, as NETWORK ASSET, that pages show first, in this order, and mark as recommended.';
