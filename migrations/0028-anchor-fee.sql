-- Anchors that keep a part of what is sent (SEP-6, fee_fixed and fee_percent).

alter table commitment add column sent_units numeric(78,0);
alter table commitment add constraint commitment_sent_units_check check (sent_units > payment_units);
comment on column commitment.sent_units is 'What the customer is told to send so that payment_units arrive; null where what is sent arrives whole.';
alter table anchor_deposit add column amount_out text;
comment on column anchor_deposit.amount_out is 'What the anchor says it paid us, as text in whole coins.';
