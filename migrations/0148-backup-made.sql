-- Increments of the log are looked at beside the backup of all rows, and how old each is is measured.
alter table last_look add column made_at timestamptz;
comment on column last_look.made_at is 'Of a backup: when the newest was made; null: there is none, or it is none.';
comment on column last_look.subject is 'Of which chain; of backups: place, and of those of the log: increments.';
