-- Whose a payment on a simulated chain is, so that what one merchant plays happens to nobody else.

alter table sandbox_transfer add column merchant_id text;
comment on column sandbox_transfer.merchant_id is 'Whose, where whoever sent it said so; else whose the destination is.';

create table sandbox_silence (
  merchant_id text not null references merchant,
  chain text not null references sandbox_chain,
  until timestamptz not null,
  primary key (merchant_id, chain)
);
comment on table sandbox_silence is 'For whom the node of a simulated chain is silent: his unconfirmed payments are neither seen nor mined.';
comment on column sandbox_silence.merchant_id is 'The merchant who let it fall silent.';
comment on column sandbox_silence.chain is 'The chain.';
comment on column sandbox_silence.until is 'When it is heard again.';
