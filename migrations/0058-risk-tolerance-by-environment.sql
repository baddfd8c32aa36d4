-- What an account tolerates is set for test and live apart, since a key of the one may set it.
alter table merchant_environment add column risk_tolerance text not null default 'MEDIUM'
  check (risk_tolerance in ('LOW', 'MEDIUM', 'HIGH'));
comment on column merchant_environment.risk_tolerance is 'Highest risk level of assets that are offered and settled in; HIGH is switched on by hand.';
update merchant_environment e set risk_tolerance = m.risk_tolerance
from merchant m where m.id = e.merchant_id;
alter table merchant drop column risk_tolerance;
