-- Servers remember API keys. Whatever decides about a key tells them when it changes; these rows
-- change by hand only, so the notice costs nothing on the way of payments.

create function tell_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('key_change', '');
  return null;
end $$;

comment on function tell_key_change() is 'Makes every server forget the API keys it remembers.';

create trigger api_key_change after insert or update or delete or truncate on api_key
  for each statement execute function tell_key_change();
create trigger api_key_secret_change after insert or update or delete or truncate
  on api_key_secret for each statement execute function tell_key_change();
create trigger merchant_change after update or delete or truncate on merchant
  for each statement execute function tell_key_change();
create trigger merchant_environment_change after insert or update or delete or truncate
  on merchant_environment for each statement execute function tell_key_change();
