-- Addresses that get no mail any more: a server said that there is no such receiver, a report of a
-- bounce or a complaint came back, or a person said so.
create table mail_stop (
  address text primary key check (address = lower(address)),
  cause text not null check (cause in ('REFUSED', 'BOUNCED', 'COMPLAINED', 'SAID')),
  detail text not null,
  stopped_at timestamptz not null
);
comment on table mail_stop is 'An address that no mail is sent to.';
comment on column mail_stop.address is 'In lower case.';
comment on column mail_stop.cause is 'REFUSED: a server answered that there is no such receiver; BOUNCED: a report said so later (RFC 3464); COMPLAINED: the receiver called a mail unwanted (RFC 5965); SAID: by a person.';
comment on column mail_stop.detail is 'What was said, or by whom.';
comment on column mail_stop.stopped_at is 'When.';
