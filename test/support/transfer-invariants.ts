// The invariants of outgoing money as SQL over the tables alone; see invariant-queries.ts.
import { type Statement, sql } from '#db/db.ts';
import type { InvariantScope } from './invariant-queries.ts';

/** Every transfer has the entries of its state and no other; reserved is what is under way. */
export function transferQuery(scope: InvariantScope): Statement {
  const owned = scope.merchantId === undefined ? sql`true` : sql`merchant_id = ${scope.merchantId}`;
  return sql`
    with t as materialized (select * from transfer where ${owned}),
    entry as (select cause_key, subject_id, id from ledger_entry
      where subject_id in (select id from t)),
    due as (
      select id, 'transfer:' || id || ':reserve' as cause from t where committed_at is not null
      union all select id, 'transfer:' || id || ':requote' from t where requoted_units <> 0
      union all select id, 'transfer:' || id || ':complete'
          || case undone_count when 0 then '' else ':' || undone_count + 1 end
        from t where state in ('COMPLETED', 'RETURNED')
      union all select id, twice.cause || 'transfer:' || id
          || case u.state when 'FAILED' then ':return' else ':complete' end || case u.number when 1 then '' else ':' || u.number end
        from t join undone_transfer u on u.transfer_id = t.id
        cross join (values (''), ('reorganisation/')) as twice (cause)
      union all select id, 'transfer:' || id || ':return'
          || case undone_count when 0 then '' else ':' || undone_count + 1 end
        from t where state = 'FAILED'),
    asked as (
      select id, case when source like 'merchant:%' then merchant_id end as merchant_id,
        source as code, asset_id, units from t
        where state in ('RESERVED', 'TO_SEND', 'SUBMITTED', 'COMPLETED', 'RETURNED')
      union all select id, merchant_id, 'merchant:reserved', asset_id, -units from t
        where state in ('RESERVED', 'TO_SEND', 'SUBMITTED')
      union all select id, null, case when paid_outside then 'outside:' else 'custody:' end || network,
          asset_id, -target_units - coalesce(fee_taken_units, 0) - fee_beyond_units from t where state in ('COMPLETED', 'RETURNED')
      union all select id, null, 'network-fees', asset_id,
          fee_beyond_units - case when fee_taken_units is null then network_fee_units else 0 end
        from t where state in ('COMPLETED', 'RETURNED')
      union all select id, case kind when 'RETURN' then null else merchant_id end,
          case kind when 'RETURN' then 'dust' else 'merchant:available' end, asset_id,
          fee_taken_units - network_fee_units from t
        where state in ('COMPLETED', 'RETURNED') and fee_taken_units is not null
      union all select id, null, 'fees', asset_id, -fee_units from t where state in ('COMPLETED', 'RETURNED')),
    summed as (
      select id, merchant_id, code, asset_id, sum(units) as units from asked group by 1, 2, 3, 4),
    posted as (
      select entry.subject_id as id, a.merchant_id, a.code, p.asset_id, sum(p.units) as units
      from entry join ledger_posting p on p.entry_id = entry.id
      join ledger_account a on a.id = p.account_id group by 1, 2, 3, 4),
    reserved as (
      select merchant_id, environment, asset_id, sum(units) as units from t
      where state in ('RESERVED', 'TO_SEND', 'SUBMITTED') group by 1, 2, 3),
    account as (
      select merchant_id, environment, asset_id, -balance_units as units from ledger_balance
      where code = 'merchant:reserved' and ${owned})
    select 'L7: ' || coalesce('no entry for ' || due.cause, 'no reason for the entry '
      || entry.cause_key) as broken
    from due full join entry on entry.cause_key = due.cause
    where due.cause is null or entry.cause_key is null
    union all
    select 'T2: transfer ' || coalesce(a.id, p.id) || ': ' || coalesce(a.code, p.code) || ' has '
      || coalesce(p.units, 0) || ', its state makes ' || coalesce(a.units, 0)
    from summed a full join posted p on p.id = a.id and p.code = a.code
      and p.asset_id = a.asset_id and p.merchant_id is not distinct from a.merchant_id
    where coalesce(a.units, 0) <> coalesce(p.units, 0)
    union all
    select 'T3: ' || coalesce(account.units, 0) || ' ' || asset_id || ' of ' || merchant_id
      || ' are reserved, transfers under way make ' || coalesce(reserved.units, 0)
    from reserved full join account using (merchant_id, environment, asset_id)
    where coalesce(account.units, 0) <> coalesce(reserved.units, 0)
    union all
    select 'T4: transfer ' || id || ' is ' || state || ' and was never signed' from t
    where state in ('SUBMITTED', 'COMPLETED') and (signed_transaction is null and not by_hand
      or transaction is null or submitted_at is null)
    union all
    select 'T5: transfer ' || id || ' is ' || state || ' and nobody looks at it' from t
    where state in ('QUOTED', 'RESERVED', 'TO_SEND', 'SUBMITTED') and next_step_at is null`;
}

/** Refunds stay within what was paid, and end with the transfer that carries them. */
export function refundQuery(scope: InvariantScope): Statement {
  const owned =
    scope.merchantId === undefined ? sql`true` : sql`r.merchant_id = ${scope.merchantId}`;
  return sql`
    with r as materialized (
      select r.*, t.state as carried, t.target_units, t.kind as transfer_kind, t.undone_count,
        (select count(*) from undone_transfer u where u.transfer_id = t.id
          and u.state = 'COMPLETED') as undone_completed
      from refund r left join transfer t on t.id = r.transfer_id where ${owned}),
    -- When it was asked for: what had been credited and not taken back, and what was on its way.
    asked as (
      select r.id, r.checkout_id, r.asset_id,
        (select coalesce(sum(rc.units), 0) from receipt_credit rc
          where rc.checkout_id = r.checkout_id and rc.network = r.network
            and rc.asset_id = r.asset_id and rc.account <> 'suspense'
            and rc.credited_at <= r.created_at
            and (rc.reversed_at is null or rc.reversed_at >= r.created_at)) as paid,
        -- One of pending money gives back payments of its own: no more of it than still stands.
        (select sum(case when o.context = 'UNDERPAID_CHECKOUT' then least(o.units, (
            select coalesce(sum(rc.units), 0) from receipt_credit rc where rc.refund_id = o.id
              and (rc.reversed_at is null or rc.reversed_at >= r.created_at)))
          else o.units end) from refund o
          where o.checkout_id = r.checkout_id and o.network = r.network
            and o.asset_id = r.asset_id and o.created_at <= r.created_at
            and o.state not in ('FAILED', 'RETURNED')) as refunded
      -- One that failed gave its money back, which another of the same moment may have given since.
      from r where state not in ('FAILED', 'RETURNED'))
    select 'T6: of checkout ' || checkout_id || ' ' || refunded || ' ' || asset_id
      || ' were refunded with ' || id || ', ' || paid || ' were paid' as broken
    from asked where refunded > paid
    union all
    select 'T7: refund ' || id || ' is ' || state || ', its transfer ' || coalesce(carried, 'none')
    from r where transfer_kind is distinct from 'REFUND' or target_units <> units
      or (state = 'COMPLETED') <> (carried = 'COMPLETED')
      or (state = 'RETURNED') <> (carried = 'RETURNED') or (state = 'FAILED') <> (carried = 'FAILED')
      or exists (select 1 from (values ('COMPLETED', undone_completed + case when state in
            ('COMPLETED', 'RETURNED') then 1 else 0 end), ('REOPENED', undone_count),
            ('FAILED', undone_count - undone_completed
              + case state when 'FAILED' then 1 else 0 end),
            ('RETURNED', case state when 'RETURNED' then 1 else 0 end)) as due (what, times)
          where due.times <> (select count(*) from event e where e.subject = 'refund'
            and e.subject_id = r.id and e.type = 'REFUND_' || due.what))
      or exists (select 1 from event e where e.subject = 'refund' and e.subject_id = r.id
        and e.type not in ('REFUND_COMPLETED', 'REFUND_REOPENED', 'REFUND_FAILED',
          'REFUND_RETURNED', 'REFUND_RESTS'))
    union all
    select 'T8: refund ' || r.id || ' took pending money that does not say so'
    from r where context = 'UNDERPAID_CHECKOUT' and (state not in ('FAILED', 'RETURNED')) <> exists (
      select 1 from receipt_credit where refund_id = r.id and account = 'refunded')`;
}
