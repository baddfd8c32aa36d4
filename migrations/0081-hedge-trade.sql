-- Orders of the house that a program carries out at an exchange (decision 56).

alter table hedge_order add column is_by_hand boolean not null default true;
comment on column hedge_order.is_by_hand is 'Whether a person gives it to the provider; else the trader does.';

-- Of two parts of less than a unit each, the running total counts: one of them may round to none.
alter table hedge_fill drop constraint hedge_fill_sold_units_check;
alter table hedge_fill drop constraint hedge_fill_got_units_check;
alter table hedge_fill add constraint hedge_fill_units_check
  check (sold_units >= 0 and got_units >= 0 and (sold_units > 0 or got_units > 0 or fee_units > 0));

create table hedge_trade (
  order_id text primary key references hedge_order,
  state text not null check (state in ('WAITING', 'SENT', 'ENDED')),
  limit_price text,
  sent_at timestamptz,
  asked_at timestamptz,
  told text,
  check (state <> 'SENT' or (sent_at is not null and limit_price is not null))
);
comment on table hedge_trade is 'What the trader was asked about an order of the house, and what it said.';
comment on column hedge_trade.order_id is 'Of the order.';
comment on column hedge_trade.state is 'WAITING to be sent, SENT (or on its way: stored before the trader hears of it), ENDED.';
comment on column hedge_trade.limit_price is 'At least so much is bought for one that is sold, in whole coins; from the rates when it was sent.';
comment on column hedge_trade.sent_at is 'When it was given to the trader.';
comment on column hedge_trade.asked_at is 'When the trader was last asked; others leave it alone for a while.';
comment on column hedge_trade.told is 'What it said last, or why nothing was sent.';
create index hedge_trade_open on hedge_trade (asked_at) where state <> 'ENDED';
