-- Mails of invoices, where the merchant has switched them on. What is to be looked at, and on which
-- day, is written in the transaction that issues an invoice; whether anything is told of it is
-- decided on that day, by how the invoice stands then.
create table bill_mail (
  bill_id text not null references bill,
  kind text not null
    check (kind in ('BILL_SENT', 'BILL_DUE_SOON', 'BILL_DUE', 'BILL_OVERDUE', 'BILL_REMINDER')),
  tell_on text not null check (tell_on ~ '^\d{4}-\d\d-\d\d$'),
  told_at timestamptz,
  primary key (bill_id, kind, tell_on)
);
comment on table bill_mail is 'Mails that an invoice of a shop is to have.';
comment on column bill_mail.bill_id is 'Which invoice.';
comment on column bill_mail.kind is 'What is told (src/merchant/customer-mails.ts); BILL_REMINDER: somebody of the shop sent it by hand.';
comment on column bill_mail.tell_on is 'From which day on (UTC); by hand at most one a day.';
comment on column bill_mail.told_at is 'When it was seen to that it is mailed, or that it is not; null: not yet.';
create index bill_mail_untold on bill_mail (tell_on, bill_id) where told_at is null;
