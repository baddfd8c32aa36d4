-- Lists are read newest first by (created_at, id): only an index that runs in one direction can be
-- entered at a cursor, and only one without the rows that a list leaves out costs what is shown.
drop index customer_merchant;
create index customer_list on customer (merchant_id, environment, created_at, id) where deleted_at is null;
drop index beneficiary_merchant;
create index beneficiary_list on beneficiary (merchant_id, environment, created_at, id) where deleted_at is null;
drop index deposit_address_merchant;
create index deposit_address_list on deposit_address (merchant_id, environment, created_at, id);
drop index transfer_merchant;
create index transfer_list on transfer (merchant_id, environment, created_at, id) where kind = 'TRANSFER';
drop index refund_merchant;
create index refund_list on refund (merchant_id, environment, created_at, id);
drop index checkout_merchant;
create index checkout_list on checkout (merchant_id, environment, created_at, id);
create index checkout_customer on checkout (merchant_id, environment, customer_id, created_at, id)
  where customer_id is not null;
create index webhook_endpoint_list on webhook_endpoint (merchant_id, environment, created_at, id);
create index merchant_list on merchant (created_at, id);
-- Nobody lists swaps.
drop index swap_merchant;
