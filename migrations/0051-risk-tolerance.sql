-- Assets above what the account accepts are neither offered nor settled in. MEDIUM is what was offered before.
alter table merchant add column risk_tolerance text not null default 'MEDIUM'
  check (risk_tolerance in ('LOW', 'MEDIUM', 'HIGH'));
comment on column merchant.risk_tolerance is 'Highest risk level of assets that are offered and settled in; HIGH is switched on by hand.';
