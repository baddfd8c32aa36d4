-- What somebody had filled in when he was asked for a recent proof comes back after it. It belongs to
-- his session, holds no password and no code, and is forgotten within the hour.
alter table staff_session
  add column kept_form text,
  add column kept_at timestamptz,
  add constraint staff_session_kept check ((kept_form is null) = (kept_at is null));
comment on column staff_session.kept_form is 'JSON: the form that a proof was asked for; null: none.';
comment on column staff_session.kept_at is 'When it was sent; it comes back for a quarter of an hour.';
create index staff_session_kept on staff_session (kept_at) where kept_at is not null;
