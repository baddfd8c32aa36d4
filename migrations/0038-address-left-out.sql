-- A restored database does not know what it gave out after its backup: those indexes are left out. They
-- were perhaps given to somebody who still pays, so they are watched.
create table address_left_out (
  chain text not null check (chain ~ '^(test|live):[A-Z0-9_]+$'),
  destination text not null,
  reason text not null,
  left_out_at timestamptz not null,
  primary key (chain, destination)
);
comment on table address_left_out is 'Destinations that may have been given out by a database that is gone: money there lies in suspense.';
comment on column address_left_out.chain is 'The chain.';
comment on column address_left_out.destination is 'In the canonical form of the network, as in deposit_instruction.';
comment on column address_left_out.reason is 'Why: restored, no record, older database, asked for.';
comment on column address_left_out.left_out_at is 'When it was left out.';
