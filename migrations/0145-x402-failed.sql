-- A payment by HTTP 402 that a block holds and that moved nothing stands in the way of no other one of
-- its checkout (decision 0090).
alter table x402_settlement add column failed_at timestamptz;
comment on column x402_settlement.failed_at is 'When a block was seen in which it failed; null otherwise.';
alter table x402_settlement drop constraint x402_settlement_checkout_id_key;
create unique index x402_settlement_open on x402_settlement (checkout_id) where failed_at is null;
comment on column x402_settlement.checkout_id is 'The checkout it pays: one payment for each that did not fail.';
