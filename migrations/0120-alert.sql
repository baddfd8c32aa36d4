-- What needs a person is told to him once, and told again when it is over: what is wrong now, and
-- the messages of it on their way. One process at a time looks.
create table alert_turn (
  only_one boolean primary key default true check (only_one),
  looked_at timestamptz not null
);
insert into alert_turn (looked_at) values ('1970-01-01T00:00:00Z');
comment on table alert_turn is 'Whose turn it is to look at what is wrong: whoever moves it on.';
comment on column alert_turn.only_one is 'There is one row.';
comment on column alert_turn.looked_at is 'When somebody looked last.';

create table alert (
  kind text not null,
  subject text not null,
  detail text not null,
  began_at timestamptz not null,
  absent_since timestamptz,
  told_at timestamptz,
  repeated_at timestamptz,
  primary key (kind, subject),
  check ((told_at is null) = (repeated_at is null))
);
comment on table alert is 'Something that is wrong, from when it was seen first until it has been over for a while.';
comment on column alert.kind is 'What is wrong (src/alert/alert-kinds.ts).';
comment on column alert.subject is 'With what: a chain, an asset, or nothing.';
comment on column alert.detail is 'What was seen last, in a sentence.';
comment on column alert.began_at is 'When it was seen first.';
comment on column alert.absent_since is 'Since when it is not seen any more; null while it is.';
comment on column alert.told_at is 'When somebody was told; null while it may pass by itself.';
comment on column alert.repeated_at is 'When it was told last.';

create table alert_message (
  id text primary key,
  channel text not null check (channel in ('WEBHOOK', 'NTFY', 'TELEGRAM')),
  stage text not null check (stage in ('ON', 'REMINDER', 'OFF', 'TEST')),
  kind text not null,
  subject text not null,
  title text not null,
  detail text not null,
  happened_at timestamptz not null,
  state text not null check (state in ('PENDING', 'SENT', 'GIVEN_UP')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz,
  lease_epoch bigint not null default 0,
  last_answer text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'PENDING') = (finished_at is null))
);
create index alert_message_due on alert_message (next_attempt_at, id) where state = 'PENDING';
create index alert_message_ended on alert_message (finished_at) where state <> 'PENDING';
comment on table alert_message is 'A message about an alert on its way to one channel, or what became of it; mails are in the outbox of mails.';
comment on column alert_message.id is 'Twelve letters and digits, the same at each attempt.';
comment on column alert_message.channel is 'Where it goes; the address is in the settings.';
comment on column alert_message.stage is 'ON: it began; REMINDER: it is still so; OFF: it is over; TEST: somebody tries whether it arrives.';
comment on column alert_message.kind is 'Of the alert.';
comment on column alert_message.subject is 'Of the alert.';
comment on column alert_message.title is 'What it says in a line.';
comment on column alert_message.detail is 'What it says below.';
comment on column alert_message.happened_at is 'When the alert began, or was over.';
comment on column alert_message.state is 'PENDING: it is to be sent; SENT: the channel took it; GIVEN_UP: it did not, as often as it was asked.';
comment on column alert_message.attempt_count is 'How often the channel was asked.';
comment on column alert_message.next_attempt_at is 'When it is due.';
comment on column alert_message.lease_until is 'Until when one worker alone may send it.';
comment on column alert_message.lease_epoch is 'Rises with each lease: whoever holds an older one records nothing.';
comment on column alert_message.last_answer is 'What the channel answered last.';
comment on column alert_message.created_at is 'When it was written.';
comment on column alert_message.finished_at is 'When it was taken or given up.';

create table noted_trouble (
  kind text primary key,
  detail text not null,
  noted_at timestamptz not null
);
comment on table noted_trouble is 'What a command found wrong, until it finds it right.';
comment on column noted_trouble.kind is 'As in alert.';
comment on column noted_trouble.detail is 'What it found, in a sentence.';
comment on column noted_trouble.noted_at is 'When.';
