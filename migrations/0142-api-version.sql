-- The dated version of the API that calls of a key have where they name none, and that a receiver is told
-- events in. What was made before there were two has the first (decision 0093).
alter table api_key
  add column api_version text not null default '2026-11-24'
    check (api_version ~ '^\d{4}-\d\d-\d\d$'),
  add column older_version text,
  add column older_version_at timestamptz;
comment on column api_key.api_version is
  'Version of calls that name none: the newest when the key was made, until somebody changes it.';
comment on column api_key.older_version is
  'The last version it asked in that was not the newest; null: none.';
comment on column api_key.older_version_at is 'When it asked in that version last, to the hour.';
alter table webhook_endpoint
  add column api_version text not null default '2026-11-24'
    check (api_version ~ '^\d{4}-\d\d-\d\d$');
comment on column webhook_endpoint.api_version is 'Version that its events are told in.';
alter table webhook_delivery add column api_version text not null default '2026-11-24';
comment on column webhook_delivery.api_version is
  'Version that every attempt tells it in: that of its receiver when the event was written.';
