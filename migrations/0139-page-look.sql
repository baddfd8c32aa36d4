-- Pages of a merchant have its font and its corners, and a logo of their own where they are dark.
alter table merchant_page
  add column font text check (font ~ '^[a-z]{1,20}$'),
  add column corner_radius integer check (corner_radius between 0 and 24);
comment on column merchant_page.font is 'Name of a list of fonts (src/look/page-font.ts); null: that of the device.';
comment on column merchant_page.corner_radius is 'Of the corners of a card, in pixels; all others follow it.';

create table merchant_dark_logo (
  merchant_id text not null references merchant,
  scale integer not null check (scale in (1, 2)),
  hash text not null check (hash ~ '^[0-9a-f]{32}$'),
  ink text not null check (ink in ('dark', 'light', 'mixed')),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (length(content) between 1 and 65536),
  primary key (merchant_id, scale)
);
comment on table merchant_dark_logo is 'The logo of a merchant for pages in dark mode, as merchant_logo holds that for all others.';
comment on column merchant_dark_logo.merchant_id is 'Whose logo.';
comment on column merchant_dark_logo.scale is '1 for plain screens, 2 for fine ones.';
comment on column merchant_dark_logo.hash is 'First 32 hexadecimal digits of the SHA-256 of the content; its address.';
comment on column merchant_dark_logo.ink is 'dark or light: transparent around pixels that vanish on a ground of the same kind; mixed: visible on any.';
comment on column merchant_dark_logo.width is 'Pixels.';
comment on column merchant_dark_logo.height is 'Pixels.';
comment on column merchant_dark_logo.content is 'A WebP picture.';
create index merchant_dark_logo_hash on merchant_dark_logo (hash);
