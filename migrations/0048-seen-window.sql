-- What stands unconfirmed is looked at in windows of so many rows, in order of the transaction.
create index receipt_seen on receipt (chain, transaction) where status = 'SEEN';
