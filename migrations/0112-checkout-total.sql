-- A checkout is looked for by its amount too; without this all of a large shop would be read.
create index checkout_total on checkout (merchant_id, environment, total, created_at, id);
