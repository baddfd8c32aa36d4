-- "Tell me by e-mail": a payer types an address on the page of a checkout and is told there how the
-- payment ends. Nobody has proved that the address is his, so that one mail for each way it can end
-- is all that it brings.
create table payer_mail (
  checkout_id text primary key references checkout,
  merchant_id text not null references merchant,
  customer_id text,
  reader bytea not null,
  language text not null check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  sealed_key bytea,
  sealed_address bytea,
  asked_count integer not null check (asked_count between 1 and 3),
  asked_at timestamptz not null,
  check ((sealed_key is null) = (sealed_address is null))
);
comment on table payer_mail is 'Where payers want to be told how a payment ends: one address for each checkout.';
comment on column payer_mail.checkout_id is 'Of which checkout.';
comment on column payer_mail.merchant_id is 'Whose checkout.';
comment on column payer_mail.customer_id is 'Of the customer whom the checkout names: what is erased with him; null: it names none.';
comment on column payer_mail.reader is 'Who, as in mail.reader: a MAC of merchant and address.';
comment on column payer_mail.language is 'Of the page on which it was typed.';
comment on column payer_mail.sealed_key is 'Data key, wrapped by the key file; null when the address is gone.';
comment on column payer_mail.sealed_address is 'The address, sealed by it; null when he was told that it is paid, or when too many were asked for.';
comment on column payer_mail.asked_count is 'How often an address was typed: a mistake can be mended twice.';
comment on column payer_mail.asked_at is 'When it was typed last.';
create index payer_mail_of_reader on payer_mail (merchant_id, reader, asked_at);
create index payer_mail_of_customer on payer_mail (merchant_id, customer_id) where customer_id is not null;
create index payer_mail_by_age on payer_mail (asked_at);

alter table merchant_environment add column payer_mails boolean not null default true;
comment on column merchant_environment.payer_mails is 'Whether payers may have themselves told by e-mail on their page, where there is a mail server.';

comment on column mail_follow.follower is 'Who reads them: customers, people, payers.';
insert into mail_follow (follower, number)
select 'payers', coalesce(max(number), 0) from event;

alter table unwritten_mail drop constraint unwritten_mail_source_check;
alter table unwritten_mail add constraint unwritten_mail_source_check
  check (source in ('customers', 'people', 'payers', 'claims', 'summaries', 'bills'));
comment on column unwritten_mail.source is 'Who writes it: customers, people and payers are told of an event, claims of a refund, summaries of a day, bills of an invoice.';
