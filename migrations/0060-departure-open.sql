-- What is not booked is looked for among all departures, those that are gone too.
drop index departure_open;
create index departure_open on departure (id) where booked_at is null;
create index departure_undone on departure (id) where booked_at is not null and status <> 'INCLUDED';
