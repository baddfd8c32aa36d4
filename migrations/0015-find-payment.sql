-- A payer may ask for a payment by its transaction hash alone, whoever it was for.

create index receipt_transaction on receipt (transaction);
