-- Pending money that was refunded and that the chain then lost is owed by the merchant, on an
-- account of its own: as a balance below zero it kept every other checkout of the merchant in that
-- asset from being completed.
alter table ledger_account drop constraint ledger_account_not_overdrawn;
alter table ledger_account add constraint ledger_account_not_overdrawn
  check (merchant_id is null or code = 'merchant:owed' or balance_units <= 0
    or negative_since_entry is not null);
alter table ledger_account add constraint ledger_account_owed_is_a_claim
  check (code <> 'merchant:owed' or balance_units >= 0);
comment on column ledger_account.code is 'merchant:available, merchant:pending, merchant:reserved, merchant:owed; of the house: custody:NETWORK, suspense:NETWORK, dust, fees, network-fees, exchange, rounding.';

alter table receipt_credit add column pays_debt boolean not null default false;
comment on column receipt_credit.pays_debt is 'It was posted against merchant:owed: money that had been refunded and lost, and came again.';
alter table receipt_credit add column owed_at timestamptz check (owed_at = reversed_at);
comment on column receipt_credit.owed_at is 'When a reversal made it a debt of the merchant, because it had been refunded.';
alter table receipt_credit add column returned_at timestamptz check (owed_at <= returned_at);
comment on column receipt_credit.returned_at is 'When what a failed refund gave back paid that debt.';
