-- The outbox: an event exists if and only if the change it tells of was committed (C5).

create table event (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  type text not null,
  subject text not null check (subject in ('checkout', 'deposit-address', 'refund', 'swap', 'transfer')),
  subject_id text not null,
  sequence integer not null check (sequence >= 1),
  cause_key text not null unique,
  body text not null,
  api_key text references api_key,
  created_at timestamptz not null,
  unique (subject, subject_id, sequence)
);
comment on table event is 'What happened, told to the merchant. The body is frozen here (W2).';
comment on column event.id is 'Random id of 12 characters, sent as webhook-id.';
comment on column event.merchant_id is 'Receiver.';
comment on column event.environment is 'test or live.';
comment on column event.type is 'CHECKOUT_COMPLETED and so on (wire.md section 7).';
comment on column event.subject is 'Kind of the thing it is about.';
comment on column event.subject_id is 'Its id.';
comment on column event.sequence is 'Rises per subject, so a receiver that keeps the highest ends in the true state (W3).';
comment on column event.cause_key is 'What caused it; unique, so it is told once (G12).';
comment on column event.body is 'The exact bytes sent as request body.';
comment on column event.api_key is 'Key whose secret makes X-Webhook-Auth.';
comment on column event.created_at is 'When it happened.';
create index event_merchant on event (merchant_id, environment, created_at desc, id desc);

create table webhook_endpoint (
  id text primary key check (id ~ '^[a-z0-9]{12}$'),
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  url text not null,
  event_types text[],
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  api_key text references api_key,
  created_at timestamptz not null,
  disabled_at timestamptz
);
comment on table webhook_endpoint is 'Account-wide receivers of events, beside the webhook URL of each checkout.';
comment on column webhook_endpoint.id is 'Random id.';
comment on column webhook_endpoint.merchant_id is 'Owner.';
comment on column webhook_endpoint.environment is 'test or live.';
comment on column webhook_endpoint.url is 'Where to send.';
comment on column webhook_endpoint.event_types is 'Types wanted; null means all.';
comment on column webhook_endpoint.sealed_secret is 'whsec_ secret, sealed.';
comment on column webhook_endpoint.sealed_previous_secret is 'Secret before the last rotation.';
comment on column webhook_endpoint.previous_secret_until is 'End of the rotation.';
comment on column webhook_endpoint.api_key is 'Key whose secret makes X-Webhook-Auth.';
comment on column webhook_endpoint.created_at is 'When it was registered.';
comment on column webhook_endpoint.disabled_at is 'Set by the merchant, or by an answer 410.';
create index webhook_endpoint_merchant on webhook_endpoint (merchant_id, environment) where disabled_at is null;

create table webhook_delivery (
  id bigint generated always as identity primary key,
  event_id text not null references event,
  merchant_id text not null,
  environment text not null,
  endpoint_id text references webhook_endpoint,
  url text not null,
  lane text collate "C" not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'PARKED', 'DISABLED')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz,
  lease_epoch bigint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  reason text,
  redelivery_of bigint references webhook_delivery,
  check ((state = 'PENDING') = (finished_at is null))
);
comment on table webhook_delivery is 'One event to one URL: leased, sent outside any transaction, recorded, retried, parked.';
comment on column webhook_delivery.id is 'Row number.';
comment on column webhook_delivery.event_id is 'The event.';
comment on column webhook_delivery.merchant_id is 'Receiver, for fair shares and for listing.';
comment on column webhook_delivery.environment is 'test or live: decides which targets are allowed.';
comment on column webhook_delivery.endpoint_id is 'The account-wide endpoint; null for the webhook URL of a checkout.';
comment on column webhook_delivery.url is 'Where to send.';
comment on column webhook_delivery.lane is 'Merchant, environment and origin of the URL: one dead lane never delays another.';
comment on column webhook_delivery.state is 'PENDING until delivered, parked after the whole schedule, or disabled.';
comment on column webhook_delivery.attempt_count is 'Attempts made.';
comment on column webhook_delivery.next_attempt_at is 'When it is due.';
comment on column webhook_delivery.lease_until is 'A sender is at it until then.';
comment on column webhook_delivery.lease_epoch is 'Rises with each lease: a sender that slept through its lease cannot record an outcome (C14).';
comment on column webhook_delivery.created_at is 'When it was queued.';
comment on column webhook_delivery.finished_at is 'When it was delivered, parked or disabled.';
comment on column webhook_delivery.reason is 'Why it is parked or disabled.';
comment on column webhook_delivery.redelivery_of is 'The delivery that this one repeats, when the merchant asked for it.';
create index webhook_delivery_lane on webhook_delivery (lane, next_attempt_at, id) where state = 'PENDING';
create index webhook_delivery_leased on webhook_delivery (lease_until) where state = 'PENDING' and lease_until is not null;
create index webhook_delivery_event on webhook_delivery (event_id);
create unique index webhook_delivery_once on webhook_delivery (event_id, url, coalesce(endpoint_id, ''))
  where state = 'PENDING';

create table webhook_lane (
  lane text collate "C" primary key,
  consecutive_failures integer not null check (consecutive_failures >= 0),
  held_until timestamptz
);
comment on table webhook_lane is 'Lanes in trouble; a lane without a row is healthy, and an answer removes the row.';
comment on column webhook_lane.lane is 'The lane.';
comment on column webhook_lane.consecutive_failures is 'From the fifth on one probe at a time is sent.';
comment on column webhook_lane.held_until is 'Nothing is sent before: the pause of the breaker, or Retry-After.';

create table webhook_attempt (
  delivery_id bigint not null references webhook_delivery,
  number integer not null check (number >= 1),
  attempted_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  answer_excerpt text,
  primary key (delivery_id, number)
);
comment on table webhook_attempt is 'Each try and what came of it, for the merchant to look at.';
comment on column webhook_attempt.delivery_id is 'The delivery.';
comment on column webhook_attempt.number is 'Count of the attempt, from 1.';
comment on column webhook_attempt.attempted_at is 'When it was started.';
comment on column webhook_attempt.duration_ms is 'How long it took.';
comment on column webhook_attempt.status is 'HTTP status, if there was an answer.';
comment on column webhook_attempt.error is 'Why there was none.';
comment on column webhook_attempt.answer_excerpt is 'First 256 characters of the answer, printable ones only.';
