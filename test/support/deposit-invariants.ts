// The invariants of deposit addresses as SQL over the tables alone (see invariant-queries.ts): every
// final receipt is credited once, in one place, with its entry, and told once.
import { type Statement, sql } from '#db/db.ts';
import { type InvariantScope, isAssigned } from './invariant-queries.ts';

export function depositQuery({ merchantId, now }: InvariantScope): Statement {
  const owned = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`;
  return sql`
    with a as materialized (select * from deposit_address where ${owned}),
    r as materialized (
      select r.*, a.id as address_id, a.network, a.asset_id as asked, a.settle_at,
        'receipt ' || r.id || ' of deposit address ' || a.id as name,
        coalesce(r.credited_generation = r.generation
          and r.reversed_generation is distinct from r.generation, false) as is_credited
      from receipt r join a on r.purpose = 'deposit-address' and r.purpose_id = a.id),
    c as materialized (
      select dc.receipt_id, dc.generation, dc.deposit_address_id, dc.asset_id, dc.units,
        dc.net_units, dc.fee_units, dc.account, dc.receipt_id || ':' || dc.generation as key,
        a.network, a.merchant_id,
        case when not ${isAssigned(sql`dc.receipt_id`, sql`dc.generation`)}
          then dc.reversed_at end as reversed_at
      from deposit_credit dc join a on a.id = dc.deposit_address_id),
    e as materialized (
      select e.* from event e join a on e.subject = 'deposit-address' and e.subject_id = a.id),
    due as (
      select deposit_address_id as id, 'receipt:' || key as cause from c
      union all select deposit_address_id, 'reorganisation/receipt:' || key from c
        where reversed_at is not null),
    entry as materialized (select l.* from ledger_entry l join a on l.subject_id = a.id),
    asked as (
      select deposit_address_id as id, 'custody:' || network as code, asset_id, units from c
        where reversed_at is null
      union all select deposit_address_id, 'suspense:' || network, asset_id, -units from c
        where reversed_at is null and account = 'suspense'
      union all select deposit_address_id, 'merchant:available', asset_id, -net_units from c
        where reversed_at is null and account = 'available'
      union all select deposit_address_id, 'fees', asset_id, -fee_units from c
        where reversed_at is null and account = 'available'),
    expected as (select id, code, asset_id, sum(units) as units from asked group by 1, 2, 3),
    posted as (
      select entry.subject_id as id, la.code, p.asset_id, sum(p.units) as units
      from entry join ledger_posting p on p.entry_id = entry.id
      join ledger_account la on la.id = p.account_id group by 1, 2, 3)
    select 'R2: ' || r.name || ' says that ' || coalesce(r.credited_generation, 0)
      || ' generations were credited, there are ' || count(c.receipt_id) as broken
    from r left join c on c.receipt_id = r.id group by r.id, r.name, r.credited_generation
    having count(c.receipt_id) <> coalesce(r.credited_generation, 0)
    union all
    select 'R3: ' || r.name || ' was credited as ' || c.units || ' ' || c.asset_id || ' ' || c.account
      || ', but is ' || r.units || ' ' || r.asset_id
    from c join r on r.id = c.receipt_id
    where c.units <> r.units or c.asset_id <> r.asset_id or c.deposit_address_id <> r.address_id
      or (c.account = 'available') <> (r.asset_id = r.asked)
      or (c.reversed_at is not null) <> (coalesce(r.reversed_generation, 0) >= c.generation)
    union all
    select 'R6: ' || name || ' is final, not credited, and nobody was told' from r
    where status = 'FINAL' and not is_credited and (settle_at is null or settle_at > ${now})
    union all
    select 'L7: ' || coalesce('no entry for ' || due.cause, 'no reason for the entry ' || entry.cause_key)
    from due full join entry on entry.cause_key = due.cause and entry.subject_id = due.id
    where due.cause is null or entry.cause_key is null
    union all
    select 'R6: deposit address ' || id || ': ' || code || ' holds ' || coalesce(posted.units, 0) || ' '
      || asset_id || ', its receipts make ' || coalesce(expected.units, 0)
    from expected full join posted using (id, code, asset_id)
    where coalesce(expected.units, 0) <> coalesce(posted.units, 0)
    union all
    select 'W1: the loss of the credit ' || key || ' of deposit address ' || deposit_address_id
      || ' was told ' || count(e.id) || ' times'
    from c left join e on e.cause_key = 'deposit:' || key || ':DEPOSIT_REVERSED'
    group by key, deposit_address_id, account, reversed_at
    having count(e.id) <> case when account = 'available' and reversed_at is not null then 1 else 0 end
    union all
    select 'W1: the credit ' || key || ' of deposit address ' || deposit_address_id
      || ' was told ' || count(e.id) || ' times'
    from c left join e on e.cause_key = 'deposit:' || key || ':DEPOSIT_COMPLETED'
    group by key, deposit_address_id, account
    having count(e.id) <> case when account = 'available' then 1 else 0 end
    union all
    select 'W3: deposit address ' || a.id || ' has ' || count(e.id) || ' events up to '
      || coalesce(max(e.sequence), 0) || ', and says ' || a.event_sequence
    from a left join e on e.subject_id = a.id group by a.id, a.event_sequence
    having count(e.id) <> a.event_sequence or coalesce(max(e.sequence), 0) <> a.event_sequence`;
}
