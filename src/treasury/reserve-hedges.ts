// Orders of the policy AT_ONCE: each is reserved in the transaction of the conversion that it
// closes, so that none is forgotten. What takes a conversion back is one the other way, under the
// policy of that pair.
import { type Statement, sql, type Tx } from '#db/db.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { ANY_ASSET } from './conversion-policy.ts';

/** Sends nothing for entries that convert nothing. */
export function reserveHedges(tx: Tx, entries: readonly Entry[]): void {
  const converting = entries.flatMap((entry) => {
    const legs = entry.postings.filter(({ account }) => account.code === 'exchange');
    const taken = legs.find(({ units }) => units < 0n);
    const promised = legs.find(({ units }) => units > 0n);
    if (taken === undefined || promised === undefined || legs.length !== 2) return [];
    return [
      {
        cause_key: entry.causeKey,
        environment: entry.environment,
        give_asset_id: taken.assetId,
        give_units: `${-taken.units}`,
        get_asset_id: promised.assetId,
        closes_units: `${promised.units}`,
        reserved_at: entry.occurredAt.toString(),
      },
    ];
  });
  if (converting.length > 0) tx.send(reserveStatement(converting));
}

/**
 * One statement, so that a conversion costs no round trip more. The nearest policy decides. The id
 * follows from the cause: 64 bits, as short as the order field of every exchange we know of.
 */
function reserveStatement(converting: readonly object[]): Statement {
  return sql`
    insert into hedge_order (id, environment, provider, give_asset_id, give_units, get_asset_id,
      closes_units, state, cause_key, actor, reason, reserved_at)
    select substr(encode(sha256(convert_to(c.cause_key, 'UTF8')), 'hex'), 1, 16), c.environment,
      policy.provider, c.give_asset_id, c.give_units, c.get_asset_id,
      c.closes_units, 'RESERVED', c.cause_key, policy.actor, policy.reason, c.reserved_at
    from json_to_recordset(${JSON.stringify(converting)}::json) as c (
      cause_key text, environment text, give_asset_id text, give_units numeric(78,0),
      get_asset_id text, closes_units numeric(78,0), reserved_at timestamptz)
    join lateral (
      select * from conversion_policy p where p.environment = c.environment
        and p.from_asset_id in (c.give_asset_id, ${ANY_ASSET})
        and p.to_asset_id in (c.get_asset_id, ${ANY_ASSET})
      order by p.from_asset_id = ${ANY_ASSET}, p.to_asset_id = ${ANY_ASSET} limit 1
    ) policy on policy.mode = 'AT_ONCE'`;
}
