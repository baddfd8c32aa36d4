-- Which outputs of ours are spent is asked of all departures, not only of those in the mempool.
drop index departure_spends;
create index departure_spends on departure using gin (spends) where status <> 'GONE';
