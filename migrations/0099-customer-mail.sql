-- Mails to customers, where the merchant has switched them on. What they tell of is read from the
-- events, in their order, so that nothing is told that was not committed and nothing is left out.
alter table merchant_environment add column customer_mails text[] not null default '{}';
comment on column merchant_environment.customer_mails is 'Kinds of mails that its customers get (src/merchant/customer-mails.ts); none unless switched on.';

create table mail_follow (
  follower text primary key,
  number bigint not null
);
comment on table mail_follow is 'How far the events were read that mails tell of.';
comment on column mail_follow.follower is 'Who reads them: customers.';
comment on column mail_follow.number is 'Number of the last event that was looked at: whatever it was to be told of is in the outbox.';
insert into mail_follow (follower, number)
select 'customers', coalesce(max(number), 0) from event;

alter table refund add column claim_told_at timestamptz default now();
alter table refund alter column claim_told_at drop default;
comment on column refund.claim_told_at is 'When it was seen to that its payer is mailed where to claim it, or that nobody is; null: not yet.';
create index refund_claim_untold on refund (created_at, id)
  where claim_told_at is null and state = 'AWAITING_ADDRESS';

alter table mail add column reader bytea;
comment on column mail.reader is 'Whom it is for, as one merchant knows him: a MAC of merchant and address; null where mails cannot be declined.';
create table mail_left (
  merchant_id text not null references merchant,
  reader bytea not null,
  left_at timestamptz not null,
  primary key (merchant_id, reader)
);
comment on table mail_left is 'Customers who want no mails of a merchant any more (RFC 8058).';
comment on column mail_left.merchant_id is 'Whose mails.';
comment on column mail_left.reader is 'Who, as in mail.reader: the address itself is not kept.';
comment on column mail_left.left_at is 'When he said so.';
