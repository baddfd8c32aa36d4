-- An earlier program goes on beside a later one, and comes back when the later one is taken back. A
-- migration after which it no longer works says so, and is refused by it.
alter table schema_migration add column works_from int;
comment on column schema_migration.works_from is 'Programs that do not know the migration of this number no longer work with the database; null where those before this one still do.';
