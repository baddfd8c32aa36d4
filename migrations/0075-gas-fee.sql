-- What the network takes of a transfer in another asset.

alter table transfer add column gas_fee text;
comment on column transfer.gas_fee is 'Most that the network takes in another asset than is sent, which the house pays: JSON of asset and units; null where it takes none, or nobody knew.';
