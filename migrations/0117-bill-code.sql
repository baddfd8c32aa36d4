-- Invoices have a verification code from now on. What was issued before stays as it was issued, to
-- the byte, and so has none.
alter table bill add column has_code boolean not null default false;
comment on column bill.has_code is 'Its verification code stands on it; false of drafts, and of what was issued before there were codes.';
alter table bill alter column has_code drop default;
