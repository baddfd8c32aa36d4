-- Lightning addresses: one lasting address, and an invoice for each payment to it.

alter table deposit_instruction add column is_address_invoice boolean not null default false;
comment on column deposit_instruction.is_address_invoice is 'True for an invoice made for one payment to a Lightning address, of which there are many.';

alter table deposit_instruction
  drop constraint deposit_instruction_purpose_purpose_id_chain_asset_id_key;
create unique index deposit_instruction_of_purpose
  on deposit_instruction (purpose, purpose_id, chain, asset_id) where not is_address_invoice;
