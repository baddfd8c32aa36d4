-- What an event was written in, where the operator has traces collected: its deliveries belong to it.
alter table event add column trace_parent text;
comment on column event.trace_parent is 'What was under way when it was written, as in the header traceparent; null where nothing was traced.';
