-- A transfer that failed, because another transaction had taken the place of what was signed for it,
-- is on its way again when a reorganisation undoes that other transaction.

alter table undone_transfer add column state text not null default 'COMPLETED' check (state in ('COMPLETED', 'FAILED'));
comment on column undone_transfer.state is 'How it had ended.';
comment on table undone_transfer is 'An end of a transfer that a reorganisation undid.';
comment on column undone_transfer.number is '1 for its first end.';
comment on column undone_transfer.transaction is 'What had paid it; of one that failed, what had proven that nothing pays it.';
comment on column undone_transfer.completed_at is 'When it ended.';
comment on column transfer.undone_count is 'How often it had ended and a reorganisation undid that.';
