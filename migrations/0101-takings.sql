-- What came in, summed by day while it comes in, so that a shop with a million checkouts is shown
-- as fast as one with a thousand; and indexes of what waits for a person of one merchant.

alter table checkout add column page_language text;
comment on column checkout.page_language is 'Of the page on which its customer chose how to pay; null where nobody did on a page, or before this column.';

create table taking (
  merchant_id text not null references merchant,
  environment text not null check (environment in ('test', 'live')),
  day timestamptz not null,
  network text not null,
  asset_id text not null,
  language text not null,
  currency text not null,
  payments integer not null,
  total numeric not null default 0,
  units numeric(78,0) not null default 0,
  primary key (merchant_id, environment, day, network, asset_id, language, currency)
);
comment on table taking is 'Checkouts that were paid and money that came to deposit addresses, summed by day.';
comment on column taking.merchant_id is 'Owner.';
comment on column taking.environment is 'test or live.';
comment on column taking.day is 'Beginning of the day in UTC on which checkouts were completed and deposits credited.';
comment on column taking.network is 'On which it came; empty where a checkout does not say.';
comment on column taking.asset_id is 'As what it came; empty where a checkout does not say.';
comment on column taking.language is 'Of the pages of these checkouts; empty where it is not known, and for deposits.';
comment on column taking.currency is 'Of the bills of these checkouts; empty for deposits.';
comment on column taking.payments is 'How many: checkouts, or payments to deposit addresses.';
comment on column taking.total is 'Of the bills, in their currency; 0 for deposits.';
comment on column taking.units is 'Of the asset, where there is no bill: deposits; 0 for checkouts.';

create table taking_follow (
  number bigint not null
);
comment on table taking_follow is 'How far the events were read that takings are summed from: one row.';
comment on column taking_follow.number is 'Number of the last event that is in the sums.';

insert into taking_follow (number) select coalesce(max(number), 0) from event;
insert into taking (merchant_id, environment, day, network, asset_id, language, currency, payments,
  total)
select merchant_id, environment, date_trunc('day', completed_at, 'UTC'),
  coalesce(source_network, ''), coalesce(source_asset_id, ''), coalesce(nullif(language, 'auto'), ''),
  billing_currency,
  count(*), sum(total)
from checkout where completed_at is not null
group by 1, 2, 3, 4, 5, 6, 7;
insert into taking (merchant_id, environment, day, network, asset_id, language, currency, payments,
  units)
select a.merchant_id, a.environment, date_trunc('day', c.credited_at, 'UTC'), a.network,
  c.asset_id, '', '', count(*), sum(c.units)
from deposit_credit c join deposit_address a on a.id = c.deposit_address_id
where c.account = 'available' and c.reversed_at is null
group by 1, 2, 3, 4, 5;

create index checkout_underpaid on checkout (merchant_id, environment, created_at)
  where state = 'UNDERPAID';
create index checkout_parked on checkout (merchant_id, environment, created_at)
  where parked_reason is not null;
create index deposit_address_parked on deposit_address (merchant_id, environment, created_at)
  where parked_reason is not null;
create index suspense_waiting on suspense (merchant_id, environment, found_at)
  where state = 'OPEN' and merchant_id is not null;
create index webhook_delivery_parked on webhook_delivery (merchant_id, environment, finished_at)
  where state = 'PARKED';
create index webhook_delivery_failing on webhook_delivery (merchant_id, environment, created_at)
  where state = 'PENDING' and attempt_count > 0;
create index transfer_waiting on transfer (merchant_id, environment, committed_at)
  where state in ('RESERVED', 'TO_SEND', 'SUBMITTED');
create index approval_waiting on approval (merchant_id, environment, asked_at)
  where approver is null;
