-- Where money on its way out goes, and how much, is sealed under a key outside the database: whoever
-- can write rows sends nothing to an account of his own.
alter table transfer add column seal bytea check (length(seal) = 32);
comment on column transfer.seal is 'MAC of what decides where it goes and how much; null only in rows from before seals, of which the next start seals the open ones once.';
alter table transfer add column parked_reason text;
comment on column transfer.parked_reason is 'Why it is not sent until a person looks at it.';
alter table installation add column transfers_sealed_at timestamptz;
comment on column installation.transfers_sealed_at is 'When open transfers from before seals were sealed; from then on one without a seal is not sent.';
