-- What the signer was asked for and has not answered may have been signed. Once its coins are spent
-- finally by something else it can land no more, signed or not.
alter table attempt drop constraint attempt_check2;
alter table attempt add constraint attempt_over
  check (over_at is null or signed_at is not null or question is not null);
comment on column attempt.over_at is 'When it was known that it can land no more without having paid the transfers; also of what the signer was asked and may have signed.';
