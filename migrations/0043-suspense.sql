-- Money that arrived and is nobody's yet, as things a person can look at and decide: one row for each
-- booking in suspense, and one for each act of a person on it.

create table suspense (
  id bigint generated always as identity primary key,
  receipt_id bigint not null references receipt,
  generation integer not null,
  environment text not null check (environment in ('test', 'live')),
  network text not null,
  asset_id text not null,
  units numeric(78,0) not null check (units > 0),
  reason text not null check (reason in ('WRONG_ASSET', 'WRONG_NETWORK', 'NO_MEMO', 'UNKNOWN_MEMO',
    'NO_REFERENCE', 'UNKNOWN_REFERENCE', 'UNKNOWN_INDEX', 'UNKNOWN_INVOICE')),
  merchant_id text references merchant,
  purpose text check (purpose in ('checkout', 'deposit-address')),
  purpose_id text,
  state text not null default 'OPEN'
    check (state in ('OPEN', 'ASSIGNED', 'RETURNING', 'RETURNED', 'WRITTEN_OFF', 'GONE')),
  act_count integer not null default 0,
  found_at timestamptz not null,
  resolved_at timestamptz,
  unique (receipt_id, generation),
  check ((purpose is null) = (purpose_id is null)),
  check ((state in ('OPEN', 'RETURNING')) = (resolved_at is null))
);
comment on table suspense is 'What lies, or lay, in a suspense account: one row for each receipt and generation booked there.';
comment on column suspense.id is 'Row number, by which a person names it.';
comment on column suspense.receipt_id is 'What arrived.';
comment on column suspense.generation is 'Generation of the receipt that was booked.';
comment on column suspense.environment is 'test or live.';
comment on column suspense.network is 'Where it arrived.';
comment on column suspense.asset_id is 'What arrived.';
comment on column suspense.units is 'Smallest units of it.';
comment on column suspense.reason is 'Why it was credited to nobody.';
comment on column suspense.merchant_id is 'Merchant whose checkout or address it names, or to whom it was assigned.';
comment on column suspense.purpose is 'Kind of the thing it names.';
comment on column suspense.purpose_id is 'Id of that thing.';
comment on column suspense.state is 'OPEN until a person decides; RETURNING while it is sent back; GONE when the chain took it back.';
comment on column suspense.act_count is 'Acts on it; the number of the last one.';
comment on column suspense.found_at is 'When it was booked.';
comment on column suspense.resolved_at is 'When it left suspense.';
create index suspense_open on suspense (id) where state in ('OPEN', 'RETURNING');
create index suspense_merchant on suspense (merchant_id, environment, id) where merchant_id is not null;

create table suspense_act (
  suspense_id bigint not null references suspense,
  number integer not null check (number >= 1),
  kind text not null check (kind in ('ASSIGN', 'RETURN', 'WRITE_OFF')),
  actor text not null check (actor <> ''),
  reason text not null check (reason <> ''),
  merchant_id text references merchant,
  checkout_id text references checkout,
  address text,
  transaction text,
  transfer_id text unique references transfer,
  acted_at timestamptz not null,
  primary key (suspense_id, number)
);
comment on table suspense_act is 'What a person did with money in suspense, and why; never changed.';
comment on column suspense_act.suspense_id is 'The money.';
comment on column suspense_act.number is 'Count of the act, from 1; its ledger entry is named by both.';
comment on column suspense_act.kind is 'Assigned to a merchant, returned to the payer, or written off.';
comment on column suspense_act.actor is 'Who did it.';
comment on column suspense_act.reason is 'Why, in words.';
comment on column suspense_act.merchant_id is 'Who got it, or for whom it was returned.';
comment on column suspense_act.checkout_id is 'The checkout it was assigned to.';
comment on column suspense_act.address is 'Where it was returned to.';
comment on column suspense_act.transaction is 'Transaction of a return that was made by hand.';
comment on column suspense_act.transfer_id is 'The transfer that carries a return.';
comment on column suspense_act.acted_at is 'When.';

insert into suspense (receipt_id, generation, environment, network, asset_id, units, reason,
  merchant_id, purpose, purpose_id, found_at)
select receipt_id, generation, environment, network, asset_id, units, reason, merchant_id, purpose,
  purpose_id, found_at
from (
  select c.receipt_id, c.generation, o.environment, c.network, c.asset_id, c.units,
    'WRONG_ASSET' as reason, o.merchant_id, 'checkout' as purpose, o.id as purpose_id,
    c.credited_at as found_at
  from receipt_credit c join checkout o on o.id = c.checkout_id
  where c.account = 'suspense' and c.reversed_at is null
  union all
  select c.receipt_id, c.generation, a.environment, a.network, c.asset_id, c.units, 'WRONG_ASSET',
    a.merchant_id, 'deposit-address', a.id, c.credited_at
  from deposit_credit c join deposit_address a on a.id = c.deposit_address_id
  where c.account = 'suspense' and c.reversed_at is null
  union all
  select r.id, r.generation, split_part(r.chain, ':', 1), split_part(r.chain, ':', 2), r.asset_id,
    r.units, case when i.id is null then 'UNKNOWN_INDEX' else 'WRONG_NETWORK' end, i.merchant_id,
    i.purpose, i.purpose_id, coalesce(r.final_at, r.seen_at)
  from receipt r
    left join misdirected_receipt m on m.receipt_id = r.id
    left join deposit_instruction i on i.id = m.instruction_id
  where r.instruction_id is null and r.credited_generation = r.generation
    and r.reversed_generation is distinct from r.generation
) booked on conflict do nothing;

alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check (kind in ('TRANSFER', 'REFUND', 'RETURN'));
comment on column transfer.kind is 'TRANSFER; REFUND when a refund row points here; RETURN when money in suspense goes back.';
alter table transfer drop constraint transfer_source_check;
alter table transfer add constraint transfer_source_check
  check (source in ('merchant:available', 'merchant:pending') or (kind = 'RETURN' and source = 'suspense:' || network));
comment on column transfer.source is 'Account that is debited, and that gets it back when the transfer fails: of the merchant, or suspense for a return.';

alter table event drop constraint event_subject_check;
alter table event add constraint event_subject_check
  check (subject in ('checkout', 'deposit-address', 'refund', 'suspense', 'swap', 'transfer'));
