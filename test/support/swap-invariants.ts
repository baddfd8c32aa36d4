// The invariants of swaps as SQL over the tables alone; see invariant-queries.ts.
import { type Statement, sql } from '#db/db.ts';
import type { InvariantScope } from './invariant-queries.ts';

/** A swap moved exactly what it was quoted, or nothing, and its end was told once. */
export function swapQuery(scope: InvariantScope): Statement {
  const owned = scope.merchantId === undefined ? sql`true` : sql`merchant_id = ${scope.merchantId}`;
  return sql`
    with s as materialized (select * from swap where ${owned}),
    done as (select * from s where state = 'COMPLETED'),
    asked as (
      select id, merchant_id, 'merchant:available' as code, source_asset_id as asset_id,
        source_units as units from done
      union all select id, null, 'exchange', source_asset_id, -source_units from done
      union all select id, null, 'exchange', target_asset_id, target_units + fee_units from done
      union all select id, merchant_id, 'merchant:available', target_asset_id, -target_units
        from done
      union all select id, null, 'fees', target_asset_id, -fee_units from done where fee_units > 0),
    posted as (
      select s.id, a.merchant_id, a.code, p.asset_id, sum(p.units) as units
      from s join ledger_entry e on e.subject_id = s.id
      join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id group by 1, 2, 3, 4)
    select 'L8: swap ' || coalesce(asked.id, posted.id) || ' posted '
      || coalesce(posted.units, 0) || ' to ' || coalesce(asked.code, posted.code) || ' in '
      || coalesce(asked.asset_id, posted.asset_id) || ', not ' || coalesce(asked.units, 0) as broken
    from asked full join posted on posted.id = asked.id and posted.code = asked.code
      and posted.asset_id = asked.asset_id
      and coalesce(posted.merchant_id, '') = coalesce(asked.merchant_id, '')
    where posted.units is distinct from asked.units
    union all
    select 'L8: swap ' || s.id || ' was carried out after its quote was over' from done s
    join ledger_entry e on e.subject_id = s.id where e.occurred_at >= s.expires_at
    union all
    select 'W1: swap ' || s.id || ' is ' || s.state || ' and told ' || told.times || ' events'
    from s cross join lateral (
      select count(*) as times,
        count(*) filter (where e.type = 'SWAP_' || s.state) as right_times
      from event e where e.subject = 'swap' and e.subject_id = s.id) told
    where told.times <> s.event_sequence or told.right_times <> told.times
      or told.times <> (case when s.state in ('COMPLETED', 'FAILED') then 1 else 0 end)`;
}
