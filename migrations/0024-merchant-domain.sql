-- Hosts of merchants' own that their pages are served under, once they proved that they own them.

create table merchant_domain (
  merchant_id text not null references merchant,
  host text not null check (
    length(host) <= 230 and host ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$'),
  proof_token text not null unique check (proof_token ~ '^quittance-proof-[0-9a-f]{32}$'),
  added_at timestamptz not null,
  verified_at timestamptz,
  last_checked_at timestamptz,
  primary key (merchant_id, host)
);
comment on table merchant_domain is 'A domain a merchant claims, and whether it proved to own it.';
comment on column merchant_domain.merchant_id is 'Who claims it.';
comment on column merchant_domain.host is 'ASCII form (IDNA) in lower case, without port.';
comment on column merchant_domain.proof_token is 'What has to stand in a TXT record of _quittance-challenge.HOST.';
comment on column merchant_domain.added_at is 'When it was claimed.';
comment on column merchant_domain.verified_at is 'When the proof was seen; null while it was not, or since another merchant proved to own it.';
comment on column merchant_domain.last_checked_at is 'When the proof was last looked for with an answer.';
-- Any number may claim a host; one has it.
create unique index merchant_domain_verified on merchant_domain (host) where verified_at is not null;

-- Servers remember whose a host is, and with each API key the host of its merchant.
create trigger merchant_domain_change
  after insert or update of merchant_id, host, verified_at or delete or truncate
  on merchant_domain for each statement execute function tell_key_change();

alter table checkout add column page_origin text check (page_origin ~ '^https://[a-z0-9.-]+$');
comment on column checkout.page_origin is 'Where its pages are when it was created under a domain of its merchant; null: PUBLIC_URL.';
