// SQL of the open position, private to this folder.

import { type Reader, sql } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';

/** What was converted: below zero what the house took, above what it gave (docs/money.md). */
export function listExchangeUnits(reader: Reader): Promise<AssetAmount[]> {
  return reader.query<AssetAmount>(sql`
    select asset_id as "assetId", balance_units as units from ledger_balance
    where environment = 'live' and owner = '' and code = 'exchange' and balance_units <> 0
    order by asset_id`);
}

/**
 * Locked and not converted yet: windows that are open, and those that ended while money that came
 * in time is on its way. A window that ended otherwise guarantees nothing (decision 29).
 */
export function listPromisedUnits(
  reader: Reader,
  now: Temporal.Instant,
): Promise<(AssetAmount & { readonly side: 'from' | 'to' })[]> {
  return reader.query(sql`
    with promised as (
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from commitment m join checkout c on c.id = m.checkout_id
      where m.asset_id <> m.settlement_asset_id and m.expires_at > ${now}
        and c.environment = 'live' and c.state <> 'COMPLETED'
      union all
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from checkout c join commitment m on m.checkout_id = c.id
      where c.environment = 'live' and c.state = 'PENDING' and c.settlement_asset <> 'ORIGIN'
        and m.asset_id <> m.settlement_asset_id and m.expires_at <= ${now}
    )
    select 'from' as side, asset_id as "assetId", sum(payment_units) as units
    from promised group by asset_id
    union all
    select 'to', settlement_asset_id, sum(settlement_units)
    from promised group by settlement_asset_id`);
}
