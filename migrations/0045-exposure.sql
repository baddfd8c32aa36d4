-- The open position of live conversions is summed at every one of them (decision 31).
create index commitment_conversion on commitment (expires_at)
  where asset_id <> settlement_asset_id;
create index checkout_converting on checkout (id)
  where environment = 'live' and state = 'PENDING' and settlement_asset <> 'ORIGIN';
