-- What the network takes is asked again when the payer of a refund says where it goes.

alter table transfer add column requoted_units numeric(78,0) not null default 0;
comment on column transfer.requoted_units is 'By how much the reserved network fee was changed when the payer claimed a refund: units and network_fee_units hold it.';
