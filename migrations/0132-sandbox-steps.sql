-- What the simulated payer of a test checkout still does by itself, when a word in `meta.sandbox` asked
-- for it. A live checkout has no such payer (decision 0081).
alter table checkout
  add column sandbox_steps text[] not null default '{}',
  add constraint checkout_sandbox_is_test check (sandbox_steps = '{}' or environment = 'test');
comment on column checkout.sandbox_steps is
  'What the simulated payer of a test checkout does next, in order; empty: nothing by itself.';
create index checkout_sandbox_steps on checkout (created_at) where sandbox_steps <> '{}';
