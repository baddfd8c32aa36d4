-- What a server saw of a proxy that its settings do not fit, for the commands and the next start.
alter table installation add column proxy_seen_at timestamptz;
comment on column installation.proxy_seen_at is 'When a request last came through a proxy inside that the settings do not fit; null when none did.';
alter table installation add column proxy_seen_from text;
comment on column installation.proxy_seen_from is 'Address that request came from.';
alter table installation add column proxy_says_https boolean;
comment on column installation.proxy_says_https is 'Whether its X-Forwarded-Proto was https.';
