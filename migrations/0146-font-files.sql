-- A shop brings the files of its own font, for letters as usual and for bold ones.
create table merchant_font (
  merchant_id text not null references merchant,
  weight text not null check (weight in ('regular', 'bold')),
  hash text not null check (hash ~ '^[0-9a-f]{32}$'),
  is_variable boolean not null,
  content bytea not null check (length(content) between 1 and 102400),
  primary key (merchant_id, weight)
);
comment on table merchant_font is 'Files of the font of a merchant, which its pages load from our own address.';
comment on column merchant_font.merchant_id is 'Whose font.';
comment on column merchant_font.weight is 'regular or bold.';
comment on column merchant_font.hash is 'First 32 hexadecimal digits of the SHA-256 of the content; its address.';
comment on column merchant_font.is_variable is 'It has every weight in itself.';
comment on column merchant_font.content is 'WOFF2, with nothing in it but tables of a font.';
create index merchant_font_hash on merchant_font (hash);
