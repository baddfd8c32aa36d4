// Receipt, credit and entry, line by line: each credited generation has exactly the lines that its
// credit makes, to the right merchant and environment, its release and its reversal as well; and no
// such entry stands without its credit. See invariant-queries.ts.
import { type Statement, sql } from '#db/db.ts';
import { type InvariantScope, isAssigned } from './invariant-queries.ts';

export function entryQuery({ merchantId }: InvariantScope): Statement {
  const owned = (column: Statement) =>
    merchantId === undefined ? sql`true` : sql`${column} = ${merchantId}`;
  return sql`
    with c as materialized (
      select rc.receipt_id || ':' || rc.generation as key, rc.network, rc.asset_id, rc.units,
        rc.settlement_asset_id as credited_in, rc.settlement_units as gross, rc.net_units as net,
        rc.fee_units as fee, rc.account = 'available' as is_earned,
        rc.account in ('pending', 'refunded') as is_pending, rc.pays_debt,
        rc.released_at is not null as is_released,
        rc.reversed_at is not null and not ${isAssigned(sql`rc.receipt_id`, sql`rc.generation`)}
          as is_reversed,
        rc.owed_at is not null as is_owed, c.merchant_id, c.environment, c.id as subject_id
      from receipt_credit rc join checkout c on c.id = rc.checkout_id where ${owned(sql`c.merchant_id`)}
      union all
      select dc.receipt_id || ':' || dc.generation, a.network, dc.asset_id, dc.units, dc.asset_id,
        dc.units, dc.net_units, dc.fee_units, dc.account = 'available', false, false, false,
        dc.reversed_at is not null and not ${isAssigned(sql`dc.receipt_id`, sql`dc.generation`)},
        false, a.merchant_id, a.environment, a.id
      from deposit_credit dc join deposit_address a on a.id = dc.deposit_address_id where ${owned(sql`a.merchant_id`)}),
    earned as (
      select key, merchant_id as owner, 'merchant:available' as code, credited_in as asset_id,
        -net as units from c
      union all select key, null, 'fees', credited_in, -fee from c
      union all select key, null, 'exchange', asset_id, -units from c where asset_id <> credited_in
      union all select key, null, 'exchange', credited_in, gross from c where asset_id <> credited_in
      union all select key, null, 'rounding', asset_id, gross - units from c
        where asset_id = credited_in),
    received as (
      select key, null as owner, 'custody:' || network as code, asset_id, units from c
      union all select key, merchant_id,
        case when pays_debt then 'merchant:owed' else 'merchant:pending' end, asset_id, -units
        from c where is_pending
      union all select key, null, 'suspense:' || network, asset_id, -units from c
        where not is_pending and not is_earned
      union all select earned.* from earned join c using (key) where c.is_earned),
    released as (
      select key, merchant_id as owner, 'merchant:pending' as code, asset_id, units from c
        where is_released
      union all select earned.* from earned join c using (key) where c.is_released),
    due as (
      select 'receipt:' || key as cause, key, owner, code, asset_id, units from received
      union all select 'release:' || key, key, owner, code, asset_id, units from released
      union all select 'reorganisation/release:' || r.key, r.key, r.owner, r.code, r.asset_id, -r.units
        from released r join c using (key) where c.is_reversed
      -- Pending money that was refunded meanwhile is owed: it is taken from there.
      union all select 'reorganisation/receipt:' || r.key, r.key, r.owner,
        case when r.code in ('merchant:pending', 'merchant:owed') then
          case when c.is_owed then 'merchant:owed' else 'merchant:pending' end else r.code end,
        r.asset_id, -r.units
        from received r join c using (key) where c.is_reversed),
    asked as (
      select due.cause, coalesce(due.owner, '') as owner, due.code, due.asset_id, c.environment,
        c.subject_id, sum(due.units) as units
      from due join c using (key) group by 1, 2, 3, 4, 5, 6 having sum(due.units) <> 0),
    posted as (
      select e.cause_key as cause, coalesce(a.merchant_id, '') as owner, a.code, p.asset_id,
        a.environment, e.subject_id, sum(p.units) as units
      from ledger_entry e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
      where ${owned(sql`e.merchant_id`)} and e.subject_id in (select subject_id from c)
        and e.cause_key ~ '^(receipt|release|reorganisation/receipt|reorganisation/release):'
      group by 1, 2, 3, 4, 5, 6)
    select 'L7: ' || coalesce(asked.cause, posted.cause) || ' posted ' || coalesce(posted.units, 0)
      || ' ' || coalesce(asked.asset_id, posted.asset_id) || ' to '
      || coalesce(asked.code, posted.code) || ' of ' || coalesce(asked.owner, posted.owner)
      || ', its credit makes ' || coalesce(asked.units, 0) as broken
    from asked full join posted on posted.cause = asked.cause and posted.owner = asked.owner
      and posted.code = asked.code and posted.asset_id = asked.asset_id
      and posted.environment = asked.environment and posted.subject_id = asked.subject_id
    where asked.units is distinct from posted.units`;
}
