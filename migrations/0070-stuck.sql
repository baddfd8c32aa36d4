-- What was sent and does not land: since when, and what a person does about it.

alter table transfer add column leaving_since timestamptz;
alter table transfer add column stuck_at timestamptz;
comment on column transfer.leaving_since is 'Since when something pays it that can land: it was signed here, or the network shows it; null while nothing does.';
comment on column transfer.stuck_at is 'When it was found to be on its way for too long and in no block; null again once it is in one.';
update transfer t set leaving_since = coalesce(submitted_at, (
    select min(signed_at) from attempt a where a.transfer_ids @> array[t.id] and a.over_at is null))
  where state in ('TO_SEND', 'SUBMITTED');
create index transfer_leaving on transfer (leaving_since)
  where leaving_since is not null and state in ('TO_SEND', 'SUBMITTED');

alter table attempt add column kind text not null default 'PAY' check (kind in ('PAY', 'CANCEL'));
comment on column attempt.kind is 'PAY pays the transfers; CANCEL pays nobody but us, in the place of what pays them.';

create table sending_act (
  id bigint generated always as identity primary key,
  transfer_id text not null references transfer,
  attempt_id bigint not null references attempt,
  act text not null check (act in ('BUMP', 'CANCEL')),
  fee_rate numeric(78,0) check (fee_rate > 0),
  is_sent_again boolean not null default false,
  decided_by text not null,
  reason text not null,
  decided_at timestamptz not null,
  ended_at timestamptz,
  check (act = 'CANCEL' or not is_sent_again)
);
comment on table sending_act is 'What a person decided about a transfer that was signed and has not landed.';
comment on column sending_act.id is 'Number.';
comment on column sending_act.transfer_id is 'The transfer.';
comment on column sending_act.attempt_id is 'What had been signed last.';
comment on column sending_act.act is 'BUMP: another transaction in the place of the one before, with a higher fee; CANCEL: one that pays nobody but us, so that the transfer can never be paid by what was signed.';
comment on column sending_act.fee_rate is 'What it is to pay, as a draft takes it; null where the network is asked.';
comment on column sending_act.is_sent_again is 'Of a cancellation: the transfer waits to be sent anew when it landed; otherwise its money goes back.';
comment on column sending_act.decided_by is 'Who.';
comment on column sending_act.reason is 'Why.';
comment on column sending_act.decided_at is 'When.';
comment on column sending_act.ended_at is 'When it was done, or came too late.';
create index sending_act_open on sending_act (transfer_id) where ended_at is null;
create unique index sending_act_one_cancel on sending_act (transfer_id) where act = 'CANCEL' and ended_at is null;
