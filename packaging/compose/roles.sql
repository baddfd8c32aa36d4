-- The role that the service runs as; the owner (POSTGRES_USER) migrates. What it may do is granted at
-- each start of the service (docs/decisions/0030-who-guards-the-ledger.md).
create role quittance login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
