-- Customers are found by how their e-mail address, name or company begins, in either case. Each is
-- read from an index of its own, of those who are not erased.
create index customer_email on customer (merchant_id, environment, lower(email) text_pattern_ops)
  where deleted_at is null;
create index customer_firstname
  on customer (merchant_id, environment, lower(firstname) text_pattern_ops)
  where deleted_at is null;
create index customer_lastname
  on customer (merchant_id, environment, lower(lastname) text_pattern_ops)
  where deleted_at is null;
create index customer_company on customer (merchant_id, environment, lower(company) text_pattern_ops)
  where deleted_at is null;
