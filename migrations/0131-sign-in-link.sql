-- A link by mail for whoever is known already, in place of a password.
create table sign_in_link (
  hash bytea primary key,
  person_id text references person,
  expires_at timestamptz not null
);
create index sign_in_link_person on sign_in_link (person_id);
comment on table sign_in_link is 'Links to sign in that were asked for. Taken once.';
comment on column sign_in_link.hash is 'Keyed hash of the token in the link.';
comment on column sign_in_link.person_id is 'Whom it signs in; null where nobody has the address that was typed.';
comment on column sign_in_link.expires_at is 'It is taken until then.';

comment on column sign_in_step.challenge is 'What the authenticator signs; of a CODE empty, or LINK where a link by mail was opened in place of a password.';
