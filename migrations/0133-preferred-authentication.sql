-- How an account prefers to have its requests authenticated (service.md, Authentication).
alter table merchant_environment add column preferred_authentication text
  check (preferred_authentication in ('DIGEST', 'BASIC'));
comment on column merchant_environment.preferred_authentication is 'DIGEST: keys sign their requests; BASIC: they may be sent as X-Basic as well; null: BASIC with test money, DIGEST with real money.';
