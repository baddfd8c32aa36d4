-- What people of a shop write on a checkout for themselves: rows are only added.
create table checkout_note (
  id text primary key,
  merchant_id text not null references merchant,
  environment text not null check (environment in ('live', 'test')),
  checkout_id text not null references checkout,
  actor text not null,
  note text not null check (note <> ''),
  written_at timestamptz not null
);
comment on table checkout_note is 'What people of a shop write on a checkout for themselves. Rows are only added.';
comment on column checkout_note.id is 'Ours.';
comment on column checkout_note.merchant_id is 'Whose it is.';
comment on column checkout_note.environment is 'live or test.';
comment on column checkout_note.checkout_id is 'On which checkout.';
comment on column checkout_note.actor is 'Who wrote it, as the trail names him.';
comment on column checkout_note.note is 'The text as it was written.';
comment on column checkout_note.written_at is 'When.';
create index checkout_note_of_checkout on checkout_note (checkout_id, written_at, id);
create trigger checkout_note_unchanged before update or delete on checkout_note
  for each row execute function refuse_change();
create trigger checkout_note_is_kept before truncate on checkout_note
  for each statement execute function refuse_change();
