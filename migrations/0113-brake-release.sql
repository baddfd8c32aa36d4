-- Payments that the brake of a chain held, and that somebody who runs the installation let go.
alter table chain_cursor add column brake_causes text;
comment on column chain_cursor.brake_causes is 'JSON: each thing for which the brake is on, as column brake says it in one sentence; null while it is off.';

create table released_payment (
  receipt_id bigint not null references receipt,
  release_id text not null,
  chain text not null,
  block_hash text not null,
  causes text not null,
  released_at timestamptz not null,
  primary key (receipt_id, release_id)
);
comment on table released_payment is 'Payments that were let go while the brake of their chain held them. Rows are only added; who it was, and why, stands in the trail.';
comment on column released_payment.receipt_id is 'Which payment.';
comment on column released_payment.release_id is 'All that were let go together.';
comment on column released_payment.chain is 'Of which chain.';
comment on column released_payment.block_hash is 'In which block it stood then: in another one it is held again.';
comment on column released_payment.causes is 'JSON: what the brake was on for. For anything else, or worse, it is held again.';
comment on column released_payment.released_at is 'When.';

create trigger released_payment_unchanged before update or delete on released_payment
  for each row execute function refuse_change();
create trigger released_payment_is_kept before truncate on released_payment
  for each statement execute function refuse_change();
