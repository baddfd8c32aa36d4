-- Invoices keep how the shop looked when they were issued: their PDF stays the same bytes when it
-- brings another logo or colour. What was issued before has neither, and stays as it was.
create table bill_logo (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (length(content) between 1 and 262144)
);
comment on table bill_logo is 'Logos as they stand on invoices that were issued: drawn by us from the logo of a shop, never changed, kept as long as the invoices.';
comment on column bill_logo.hash is 'SHA-256 of size and content in hexadecimal digits; the same logo is kept once.';
comment on column bill_logo.width is 'Pixels of a page, of which three quarters are points of a PDF; the picture may have more.';
comment on column bill_logo.height is 'The same.';
comment on column bill_logo.content is 'A PNG picture without transparent parts.';
create trigger bill_logo_immutable before update or delete on bill_logo
  for each row execute function refuse_change();
create trigger bill_logo_no_truncate before truncate on bill_logo
  for each statement execute function refuse_change();

alter table bill
  add column logo_hash text references bill_logo,
  add column accent text check (accent ~ '^#[0-9a-f]{6}$');
comment on column bill.logo_hash is 'The logo that stands on it; null of drafts, of shops without one, and of what was issued before logos were kept.';
comment on column bill.accent is 'Colour of its titles, #rrggbb; null as logo_hash, where the shop has chosen none.';
