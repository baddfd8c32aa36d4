-- Where money goes is sealed under a key outside the database: whoever can write rows cannot put in
-- an account of his own, nor end a cool-down.
alter table beneficiary add column seal bytea check (length(seal) = 32);
comment on column beneficiary.seal is 'MAC of what decides where money goes; null only in rows from before seals, which the next start seals once.';
alter table installation add column beneficiaries_sealed_at timestamptz;
comment on column installation.beneficiaries_sealed_at is 'When rows from before seals were sealed; from then on one without a seal is not used.';
