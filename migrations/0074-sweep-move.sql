-- Money of ours that is brought together at one address, and the coins that pay for it.

create table sweep_move (
  id text primary key,
  chain text not null,
  kind text not null check (kind in ('SWEEP', 'TOP_UP')),
  source text not null,
  receiver text not null,
  asset_id text not null,
  units numeric(78, 0) not null check (units > 0),
  state text not null check (state in ('PLANNED', 'ASKED', 'SIGNED', 'MOVED', 'GONE')),
  planned_by text not null,
  planned_at timestamptz not null,
  terms text,
  spends text[],
  question text,
  refused_at timestamptz,
  signed_transaction text,
  transactions text[] not null default '{}',
  signed_at timestamptz,
  held_up text,
  ended_at timestamptz,
  check ((state = 'ASKED') <= (question is not null)),
  check ((question is not null) <= (terms is not null and spends is not null)),
  check ((signed_transaction is null) = (signed_at is null)),
  check ((signed_transaction is null) = (transactions = '{}')),
  check ((state = 'SIGNED') <= (signed_at is not null)),
  check ((state in ('MOVED', 'GONE')) = (ended_at is not null))
);
comment on table sweep_move is 'A movement of our own money between addresses: to where it is collected, or coins that pay for that.';
comment on column sweep_move.id is 'Id; the order that the signer is asked for.';
comment on column sweep_move.chain is 'Environment and network.';
comment on column sweep_move.kind is 'SWEEP to where money is collected, TOP_UP of an address that lacks coins for gas.';
comment on column sweep_move.source is 'The address of ours that pays.';
comment on column sweep_move.receiver is 'Who gets it: the collecting address, or an address of ours.';
comment on column sweep_move.asset_id is 'What is moved.';
comment on column sweep_move.units is 'How much, as planned, and then as drafted.';
comment on column sweep_move.state is 'PLANNED, ASKED (of the signer), SIGNED; MOVED when it is final, GONE when it can land no more or is not worth it.';
comment on column sweep_move.planned_by is 'Who wanted it.';
comment on column sweep_move.planned_at is 'When.';
comment on column sweep_move.terms is 'What the adapter of the chain needs to know the signed transaction again.';
comment on column sweep_move.spends is 'The nonce that only one transaction can use.';
comment on column sweep_move.question is 'What the signer is asked and has not answered, stored before it is.';
comment on column sweep_move.refused_at is 'When the signer last did not sign it.';
comment on column sweep_move.signed_transaction is 'As the network takes it, stored before it is sent.';
comment on column sweep_move.transactions is 'Hashes of all that was signed for it, the newest last; they share one nonce.';
comment on column sweep_move.signed_at is 'When the newest was signed.';
comment on column sweep_move.held_up is 'Why it has not gone on, or how it ended, for the operator.';
comment on column sweep_move.ended_at is 'When it was known to be final, or over.';
create unique index sweep_move_once on sweep_move (chain, source, receiver, asset_id) where ended_at is null;
