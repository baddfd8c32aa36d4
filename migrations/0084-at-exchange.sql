-- What was given up while it was at the exchange stays counted until the exchange has said what it filled.

alter table hedge_order add column is_at_exchange boolean not null default false;
comment on column hedge_order.is_at_exchange is 'Whether the trader may have given it to the exchange, and has not said yet what became of it: its part of the position is counted, also of an order that was given up.';
update hedge_order set is_at_exchange = true
where id in (select order_id from hedge_trade where state = 'SENT');
