-- Mails of something that happened that could not be written: a fault of ours or of data, which a
-- person looks at.
create table unwritten_mail (
  id text primary key,
  source text not null check (source in ('customers', 'people', 'claims', 'summaries', 'bills')),
  fact text not null,
  reason text not null,
  parked_at timestamptz not null,
  again_at timestamptz,
  unique (source, fact)
);
create index unwritten_mail_again on unwritten_mail (again_at) where again_at is not null;
comment on table unwritten_mail is 'What could not be put into words for a mail.';
comment on column unwritten_mail.id is 'Names it, as letter:ID, to whoever looks after it.';
comment on column unwritten_mail.source is 'Who writes it: customers and people are told of an event, claims of a refund, summaries of a day, bills of an invoice.';
comment on column unwritten_mail.fact is 'What it tells of: number of the event, id of the refund, or parts as JSON.';
comment on column unwritten_mail.reason is 'What was wrong when it was written last.';
comment on column unwritten_mail.parked_at is 'When that was.';
comment on column unwritten_mail.again_at is 'Since when it is to be tried again; null: it waits for a person.';
