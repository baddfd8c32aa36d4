-- The log of requests: what the programs of a shop asked of the API and what was answered, for a
-- week. Nothing refers to it, it refers to nothing, and no request waits for it.
create table api_request (
  id text primary key,
  merchant_id text not null,
  environment text not null check (environment in ('test', 'live')),
  api_key text not null,
  scope text not null,
  method text not null,
  path text not null,
  query text,
  status integer not null,
  error_code text,
  duration_ms integer not null,
  address text not null,
  request_headers text,
  request_body text,
  request_bytes integer not null,
  answer_headers text,
  answer_body text,
  answer_bytes integer not null,
  at timestamptz not null
);
create index api_request_newest on api_request (merchant_id, environment, at desc, id desc);
create index api_request_old on api_request (at);
comment on table api_request is 'Requests to the API and their answers, for a week, without secrets.';
comment on column api_request.id is 'As the answer told it in X-Request-ID.';
comment on column api_request.merchant_id is 'Whose key it was.';
comment on column api_request.environment is 'test or live.';
comment on column api_request.api_key is 'The key that asked, or that a request named which did not prove it.';
comment on column api_request.scope is 'What the endpoint asks of a key: who may not hold such a key does not see the request.';
comment on column api_request.method is 'GET, POST, PUT or DELETE.';
comment on column api_request.path is 'Without the query.';
comment on column api_request.query is 'What stood after the question mark, secrets cut; null when there was nothing, or the sender was not proven.';
comment on column api_request.status is 'Of the answer.';
comment on column api_request.error_code is 'X-Error-Code; null of a success.';
comment on column api_request.duration_ms is 'From the whole request to the answer.';
comment on column api_request.address is 'From where it came, behind trusted proxies.';
comment on column api_request.request_headers is 'One a line, values that may be secret cut; null when the sender was not proven.';
comment on column api_request.request_body is 'JSON with secrets cut, and cut off after 8 KiB; null when there is none, when it is no JSON or too long to be looked through, or the sender was not proven.';
comment on column api_request.request_bytes is 'Length of the whole body.';
comment on column api_request.answer_headers is 'As request_headers.';
comment on column api_request.answer_body is 'As request_body.';
comment on column api_request.answer_bytes is 'Length of the whole answer.';
comment on column api_request.at is 'When it was answered.';

create table api_request_missed (
  merchant_id text not null,
  environment text not null check (environment in ('test', 'live')),
  hour timestamptz not null,
  requests bigint not null check (requests > 0),
  primary key (merchant_id, environment, hour)
);
create index api_request_missed_old on api_request_missed (hour);
comment on table api_request_missed is 'How many requests of an hour are not in the log: too many at once, or the log could not be written.';
comment on column api_request_missed.merchant_id is 'Whose.';
comment on column api_request_missed.environment is 'test or live.';
comment on column api_request_missed.hour is 'The hour began then.';
comment on column api_request_missed.requests is 'So many.';
