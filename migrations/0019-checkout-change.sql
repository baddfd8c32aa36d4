-- Open pages are told of changes that any process made, by one question for all of them: which
-- checkouts were written by transactions that the last question could not see? A counter would not
-- do: transactions end in another order than they begin.

alter table checkout add column changed_in xid8;
comment on column checkout.changed_in is 'Transaction that last changed what a page may show, receipts included; null when it is as created.';
create index checkout_change on checkout (changed_in) where changed_in is not null;
