-- A transfer that had arrived and was sent back: the money is recognised and goes back to where the
-- transfer took it.

alter table transfer drop constraint transfer_state_check;
alter table transfer add constraint transfer_state_check check (state in
  ('QUOTED', 'RESERVED', 'TO_SEND', 'SUBMITTED', 'COMPLETED', 'FAILED', 'EXPIRED', 'RETURNED'));
-- The third unnamed check of 0010: what has ended has an end.
alter table transfer drop constraint transfer_check2;
alter table transfer add constraint transfer_finished
  check ((state in ('COMPLETED', 'FAILED', 'EXPIRED', 'RETURNED')) = (finished_at is not null));
alter table transfer add column returned_units numeric(78,0) check (returned_units > 0);
comment on column transfer.returned_units is 'What came back of it after it had arrived; null unless RETURNED.';
alter table transfer add constraint transfer_returned check ((state = 'RETURNED') = (returned_units is not null));

alter table refund drop constraint refund_state_check;
alter table refund add constraint refund_state_check
  check (state in ('AWAITING_ADDRESS', 'UNDER_WAY', 'COMPLETED', 'FAILED', 'RETURNED'));

alter table suspense_act drop constraint suspense_act_kind_check;
alter table suspense_act add constraint suspense_act_kind_check
  check (kind in ('ASSIGN', 'RETURN', 'WRITE_OFF', 'CAME_BACK'));
comment on column suspense_act.kind is 'Assigned to a merchant, returned to the payer, written off, or recognised as a transfer of ours that was sent back.';
comment on column suspense_act.checkout_id is 'The checkout it was assigned to; of what came back, that of the refund whose pending money it is again.';
comment on column suspense_act.transfer_id is 'The transfer that carries a return, or that came back.';

alter table receipt_remark add column transfer_id text;
comment on column receipt_remark.transfer_id is 'The transfer of ours that it brings back, as far as the network says; whether it is that one is decided elsewhere.';
comment on column bank_entry.transfer_id is 'PAYMENT: the transfer of ours that its texts name; CREDIT: the one that it brings back. Whether it is that one is decided elsewhere.';
