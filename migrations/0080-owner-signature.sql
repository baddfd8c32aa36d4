-- What owners of a contract (a Safe) have signed, until enough of them have.

create table owner_signature (
  chain text not null,
  digest text not null,
  owner text not null,
  signature text not null,
  entered_at timestamptz not null,
  primary key (chain, digest, owner)
);
comment on table owner_signature is 'Signatures of owners over what was drafted: each owner counts once.';
comment on column owner_signature.chain is 'Environment and network.';
comment on column owner_signature.digest is 'The hash that they signed.';
comment on column owner_signature.owner is 'Address of the owner, recovered from the signature.';
comment on column owner_signature.signature is 'As the contract takes it.';
comment on column owner_signature.entered_at is 'When it came.';
