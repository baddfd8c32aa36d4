-- Why the watch of a chain stands still, so that every process and command tells the same.
alter table chain_cursor add column fault text;
comment on column chain_cursor.fault is 'What stopped the last look at the chain; null after one that went well.';
