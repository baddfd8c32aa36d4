-- How the hosted pages of a merchant look and behave. Names and addresses are columns of merchant;
-- what was never set is null here and follows the defaults of the service.

create table merchant_page (
  merchant_id text primary key references merchant,
  contact text check (length(contact) between 1 and 2048),
  primary_color text check (primary_color ~ '^#[0-9a-f]{6}$'),
  background_color text check (background_color ~ '^#[0-9a-f]{6}$'),
  default_language text check (default_language ~ '^[a-z]{2}$'),
  return_countdown_seconds integer check (return_countdown_seconds between 0 and 300),
  embed_origins text[] not null default '{}'
    check (cardinality(embed_origins) <= 20
      and array_to_string(embed_origins, ' ') !~ '[^ a-z0-9:/._\[\]-]'),
  explorer_links boolean
);
comment on table merchant_page is 'Account settings of the hosted pages; a merchant without a row has the defaults.';
comment on column merchant_page.merchant_id is 'Whose pages.';
comment on column merchant_page.contact is 'Mail address or http(s) address that is offered when something is wrong with a payment.';
comment on column merchant_page.primary_color is 'Colour of buttons, #rrggbb in lower case.';
comment on column merchant_page.background_color is 'Colour behind the cards, #rrggbb in lower case.';
comment on column merchant_page.default_language is 'Language of pages in auto when the browser wants none that there is.';
comment on column merchant_page.return_countdown_seconds is 'After so many seconds the paid page goes to returnUrl by itself; 0 never.';
comment on column merchant_page.embed_origins is 'Exact origins that may show the page in a frame; only characters that end nothing in a header.';
comment on column merchant_page.explorer_links is 'Whether transactions link to a public explorer.';

create table merchant_logo (
  merchant_id text not null references merchant,
  scale integer not null check (scale in (1, 2)),
  hash text not null check (hash ~ '^[0-9a-f]{32}$'),
  ink text not null check (ink in ('dark', 'light', 'mixed')),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (length(content) between 1 and 65536),
  primary key (merchant_id, scale)
);
comment on table merchant_logo is 'The logo of a merchant as we drew it again: pixels of our own, never the file that was given.';
comment on column merchant_logo.merchant_id is 'Whose logo.';
comment on column merchant_logo.scale is '1 for plain screens, 2 for fine ones.';
comment on column merchant_logo.hash is 'First 32 hexadecimal digits of the SHA-256 of the content; its address.';
comment on column merchant_logo.ink is 'dark or light: transparent around pixels that vanish on a ground of the same kind; mixed: visible on any.';
comment on column merchant_logo.width is 'Pixels.';
comment on column merchant_logo.height is 'Pixels.';
comment on column merchant_logo.content is 'A WebP picture.';
create index merchant_logo_hash on merchant_logo (hash);
