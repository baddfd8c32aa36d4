-- Why a transfer or a deposit address waits, in the words of the error itself, as for checkouts.

alter table transfer add column step_failures integer not null default 0;
alter table transfer add column step_error text;
comment on column transfer.step_failures is 'Failed steps in a row.';
comment on column transfer.step_error is 'Why its steps fail, once several did in a row; shown to the operator.';

alter table deposit_address add column settle_failures integer not null default 0;
alter table deposit_address add column parked_reason text;
comment on column deposit_address.settle_failures is 'Failed decisions in a row.';
comment on column deposit_address.parked_reason is 'Why deciding its payments fails, once it did several times; shown to the operator.';
