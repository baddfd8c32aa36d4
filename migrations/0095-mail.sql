-- Mails on their way: a row is written in the transaction of what it tells of, and sent under a
-- lease afterwards. What a mail says is sealed under a key of its own and goes when it was sent: a
-- link in it is a secret, and letters of others are nobody's reading.
create table mail (
  id text primary key,
  cause_key text not null unique,
  kind text not null,
  merchant_id text references merchant,
  receiver text not null,
  sealed_key bytea,
  sealed_content bytea,
  state text not null check (state in ('PENDING', 'SENT', 'PARKED')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz,
  lease_epoch bigint not null default 0,
  last_answer text,
  reason text,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((sealed_key is null) = (sealed_content is null)),
  check (state = 'SENT' or sealed_content is not null),
  check ((state = 'PENDING') = (finished_at is null)),
  check ((state = 'PARKED') = (reason is not null))
);
create index mail_due on mail (next_attempt_at, id) where state = 'PENDING';
create index mail_parked on mail (finished_at) where state = 'PARKED';
create index mail_newest on mail (created_at desc, id desc);
create index mail_sent_to on mail (receiver, finished_at) where state = 'SENT';
create index mail_sent_of on mail (merchant_id, finished_at) where state = 'SENT';
comment on table mail is 'A mail on its way to one receiver, or what became of it.';
comment on column mail.id is 'Twelve letters and digits; the left part of its Message-ID, the same at each attempt.';
comment on column mail.cause_key is 'What it is told for: of one cause there is one mail.';
comment on column mail.kind is 'Which mail it is (src/mail/mail.ts).';
comment on column mail.merchant_id is 'In whose name it is sent; null: of the installation.';
comment on column mail.receiver is 'One address; in the envelope and in To.';
comment on column mail.sealed_key is 'The key that seals its content, itself sealed; null when it was sent.';
comment on column mail.sealed_content is 'Subject, text and HTML as they were when it was written, sealed; null when it was sent.';
comment on column mail.state is 'PENDING: it is to be sent; SENT: a server has taken it; PARKED: it waits for a person, with its reason.';
comment on column mail.attempt_count is 'How often a server answered it.';
comment on column mail.next_attempt_at is 'When it is due.';
comment on column mail.lease_until is 'Until when one worker alone may send it.';
comment on column mail.lease_epoch is 'Rises with each lease: whoever holds an older one records nothing.';
comment on column mail.last_answer is 'What the server answered to the last attempt.';
comment on column mail.reason is 'Why it waits for a person.';
comment on column mail.created_at is 'When it was written.';
comment on column mail.finished_at is 'When it was sent or parked.';
