-- Orders of the house carried out at the market of Stellar itself, from our account to our account.

alter table departure_part
  add column got_asset_id text,
  add column got_units numeric(78,0) check (got_units > 0),
  add column order_id text references hedge_order,
  add constraint departure_part_got_check check ((got_asset_id is null) = (got_units is null));
comment on column departure_part.got_asset_id is 'What the same operation gave us for it, where it was converted on the network itself.';
comment on column departure_part.got_units is 'How much of that really arrived.';
comment on column departure_part.order_id is 'The order of the house that it carried out.';
alter table departure_part drop constraint departure_part_purpose_check;
alter table departure_part add constraint departure_part_purpose_check
  check (purpose in ('OWN', 'TRANSFER', 'OUTSIDE', 'LOST', 'CONVERSION'));
comment on column departure_part.purpose is 'OWN: it stays with us (change, consolidation); TRANSFER: it carries a transfer; OUTSIDE: the operator keeps it elsewhere; LOST: stolen or sent by mistake; CONVERSION: it carried out an order of the house on the network itself; null until that is known.';

create table market_draft (
  id bigint generated always as identity primary key,
  order_id text not null references hedge_order,
  chain text not null,
  units numeric(78,0) not null check (units > 0),
  least_units numeric(78,0) not null check (least_units > 0),
  terms text not null,
  actor text not null check (btrim(actor) <> ''),
  drafted_at timestamptz not null,
  lands_until timestamptz not null,
  end_state text check (end_state in ('LANDED', 'OVER')),
  ended_at timestamptz,
  check ((end_state is null) = (ended_at is null))
);
comment on table market_draft is 'A transaction that a person was given to carry out an order of the house on its network.';
comment on column market_draft.id is 'Number.';
comment on column market_draft.order_id is 'The order.';
comment on column market_draft.chain is 'Environment and network.';
comment on column market_draft.units is 'What it sells.';
comment on column market_draft.least_units is 'What it buys at least; else the network refuses it.';
comment on column market_draft.terms is 'What the adapter of the chain needs to know whether it can still land.';
comment on column market_draft.actor is 'Who asked for it.';
comment on column market_draft.drafted_at is 'When.';
comment on column market_draft.lands_until is 'No ledger that closes later takes it.';
comment on column market_draft.end_state is 'LANDED: it was seen and booked. OVER: it can land no more.';
comment on column market_draft.ended_at is 'When that was known.';
create unique index market_draft_open on market_draft (chain) where ended_at is null;
