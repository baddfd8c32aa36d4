-- People who run a business or the installation in the browser: who they are, what they may, how
-- they sign in. Secrets are never here in the clear: passwords as argon2id, tokens as keyed hashes,
-- seeds of codes sealed under the key of the person.

create table person (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  is_operator boolean not null,
  sealed_data_key bytea not null,
  password_hash text,
  sealed_totp bytea,
  totp_used_step bigint,
  created_at timestamptz not null,
  left_at timestamptz
);
comment on table person is 'Somebody who signs in to the dashboard. Never deleted, since acts name him: left_at ends him.';
comment on column person.is_operator is 'Runs the installation itself; what he may with a merchant stands in membership.';
comment on column person.sealed_totp is 'The seed of RFC 6238, sealed; with it a password alone opens nothing.';
comment on column person.totp_used_step is 'The time step of the last code taken: none counts twice (RFC 6238, 5.2).';

create table membership (
  person_id text not null references person,
  merchant_id text not null references merchant,
  role text not null
    check (role in ('OWNER', 'ADMIN', 'DEVELOPER', 'ACCOUNTANT', 'CASHIER', 'VIEWER')),
  granted_at timestamptz not null,
  primary key (person_id, merchant_id)
);
create index membership_merchant on membership (merchant_id);

create table passkey (
  credential_id text primary key,
  person_id text not null references person,
  public_key bytea not null,
  sign_count bigint not null,
  label text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkey_person on passkey (person_id);
comment on column passkey.credential_id is 'Base64url, as browsers say it (WebAuthn 3, 5.1).';
comment on column passkey.sign_count is 'As the authenticator counts; one that does not grow was copied (WebAuthn 3, 6.1.1). Zero where none is counted.';

create table recovery_code (
  person_id text not null references person,
  hash bytea not null,
  used_at timestamptz,
  primary key (person_id, hash)
);

create table staff_session (
  hash bytea primary key,
  person_id text not null references person,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  fresh_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  agent text not null
);
create index staff_session_person on staff_session (person_id) where ended_at is null;
comment on column staff_session.hash is 'Of the token in the cookie, keyed: the database alone opens no session.';
comment on column staff_session.fresh_at is 'When the person last proved who he is: money, keys and people ask for a recent proof.';

create table sign_in_step (
  hash bytea primary key,
  kind text not null check (kind in ('CODE', 'PASSKEY', 'ENROL')),
  person_id text references person,
  challenge text not null,
  expires_at timestamptz not null
);
comment on table sign_in_step is 'What a sign-in or a new passkey waits for. Taken once.';

create table sign_in_guess (
  subject bytea primary key,
  count integer not null,
  since timestamptz not null
);
comment on table sign_in_guess is 'Wrong proofs in the running window, by keyed hash of who was tried from where.';

create table invitation (
  hash bytea primary key,
  email text check (email = lower(email)),
  name text not null,
  is_operator boolean not null,
  merchant_id text references merchant,
  role text check (role in ('OWNER', 'ADMIN', 'DEVELOPER', 'ACCOUNTANT', 'CASHIER', 'VIEWER')),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  check ((merchant_id is null) = (role is null))
);
comment on column invitation.hash is 'Of the token in the link, keyed.';

comment on column person.id is 'Twelve letters and digits.';
comment on column person.email is 'In lower case; what one signs in with. Of somebody who left it is no address any more.';
comment on column person.name is 'As colleagues and the trail show it.';
comment on column person.sealed_data_key is 'The key that seals what is the secret of this person, itself sealed.';
comment on column person.password_hash is 'argon2id with its figures; null: signs in by passkey alone.';
comment on column person.created_at is 'When an invitation was accepted.';
comment on column person.left_at is 'When all ways in were ended for good.';
comment on column membership.person_id is 'Who.';
comment on column membership.merchant_id is 'With which merchant.';
comment on column membership.role is 'What he may there: src/staff/role.ts.';
comment on column membership.granted_at is 'Since when.';
comment on column passkey.person_id is 'Whose it is.';
comment on column passkey.public_key is 'COSE key, as the authenticator gave it.';
comment on column passkey.label is 'As its owner calls it.';
comment on column passkey.created_at is 'When it was added.';
comment on column passkey.used_at is 'When it opened a session last.';
comment on column recovery_code.person_id is 'Whose it is.';
comment on column recovery_code.hash is 'Keyed hash of the code.';
comment on column recovery_code.used_at is 'When it was used; it opens nothing again.';
comment on column staff_session.person_id is 'Who is signed in.';
comment on column staff_session.started_at is 'When he signed in.';
comment on column staff_session.seen_at is 'When he was here last, to the minute.';
comment on column staff_session.ended_at is 'When it was ended by a person; it ends by itself without that.';
comment on column staff_session.address is 'From where he signed in.';
comment on column staff_session.agent is 'What his browser calls itself.';
comment on column sign_in_step.hash is 'Keyed hash of the token in the form.';
comment on column sign_in_step.kind is 'CODE: the password was right, a code is asked for; PASSKEY: an answer of any passkey; ENROL: a new passkey.';
comment on column sign_in_step.person_id is 'Whose step it is; null of a PASSKEY, which says that itself.';
comment on column sign_in_step.challenge is 'What the authenticator signs; empty of a CODE.';
comment on column sign_in_step.expires_at is 'It is taken until then.';
comment on column sign_in_guess.subject is 'Keyed hash of who was tried from where.';
comment on column sign_in_guess.count is 'Wrong proofs in the window.';
comment on column sign_in_guess.since is 'When the window began.';
comment on column invitation.email is 'Who is invited; null of the first link of an installation: whoever opens it says.';
comment on column invitation.name is 'As whoever invites calls him.';
comment on column invitation.is_operator is 'Whether he will run the installation.';
comment on column invitation.merchant_id is 'To which merchant; null: to none.';
comment on column invitation.role is 'As what.';
comment on column invitation.invited_by is 'Who invited, as the trail names him.';
comment on column invitation.created_at is 'When.';
comment on column invitation.expires_at is 'Until when the link works.';
comment on column invitation.accepted_at is 'When it was accepted: it works no more.';
comment on column invitation.withdrawn_at is 'When it was withdrawn, or a newer one took its place.';
comment on table membership is 'What a person may do with a merchant.';
comment on table passkey is 'A passkey of a person (WebAuthn 3).';
comment on table recovery_code is 'Opens what a lost app for codes would have opened, once.';
comment on table staff_session is 'A browser in which somebody is signed in.';
comment on table invitation is 'A link by which somebody becomes a person here, or of one merchant more.';
