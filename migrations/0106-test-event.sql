-- Events that a person sends to try a receiver: about the receiver itself, so that nothing which
-- follows what happened to checkouts or transfers takes one for a fact.
alter table webhook_endpoint add column event_sequence integer not null default 0;
comment on column webhook_endpoint.event_sequence is 'How many test events were sent to it.';

alter table event drop constraint event_subject_check;
alter table event add constraint event_subject_check
  check (subject in ('checkout', 'deposit-address', 'refund', 'settlement-rule', 'suspense', 'swap', 'transfer', 'webhook-endpoint'));
