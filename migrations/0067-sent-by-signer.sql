-- Transfers that the signer sends: what it was asked, who asks, and what it says.

alter table attempt add column question text;
alter table attempt add column answered_at timestamptz;
alter table attempt add check (answered_at is null or question is not null);
comment on column attempt.question is 'What the signer was asked, stored before it was; null of what a person was given.';
comment on column attempt.answered_at is 'When the signer said that it does not sign it.';

alter table transfer add column asked_at timestamptz;
comment on column transfer.asked_at is 'When the signer was first asked: from then on it may have been sent.';
alter table transfer add column held_up text;
comment on column transfer.held_up is 'Why the signer has not sent it yet, for the operator.';

create table signing_turn (
  chain text primary key,
  process_id text not null,
  ends_at timestamptz not null
);
comment on table signing_turn is 'The one process that drafts for the signer on a chain.';
comment on column signing_turn.chain is 'Environment and network.';
comment on column signing_turn.process_id is 'Which; drawn when it starts.';
comment on column signing_turn.ends_at is 'When another one may.';
