-- Whether the payment that a refund gives back still stands: looked at again before it is sent.
alter table refund add column payment text not null default 'STANDING'
  check (payment in ('STANDING', 'UNCERTAIN', 'TAKEN_BACK'));
comment on column refund.payment is 'Whether what it gives back is still ours: UNCERTAIN while a block is being replaced, TAKEN_BACK once the credit was reversed. As it was when the refund failed, for one that did.';
