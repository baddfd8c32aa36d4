-- A refund to a free address above a limit is not sent before this.

alter table transfer add column rests_until timestamptz;
comment on column transfer.rests_until is 'It is not sent before; null: at once. Part of the seal.';
