// How much of an asset is held and owed to nobody, so that a conversion to it can be carried out
// with what is there. Summed from the database at each question, never remembered.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { IS_COUNTED } from './hedge-order.ts';
import { listPromisedUnits } from './open-position.ts';

type Liquidity = {
  readonly assetId: string;
  /** At addresses that are watched, and elsewhere in the operator's hands. */
  readonly hotUnits: bigint;
  readonly coldUnits: bigint;
  /** To merchants, also for transfers under way, and to whoever sent what lies in suspense. */
  readonly owedUnits: bigint;
  /** To be brought to providers for orders of the house: what is not there yet. */
  readonly orderedUnits: bigint;
  /** In windows that are open. */
  readonly lockedUnits: bigint;
};

/** Below zero when more is promised than is there. */
export function freeUnits(held: Liquidity): bigint {
  const { hotUnits, coldUnits, owedUnits, orderedUnits, lockedUnits } = held;
  return hotUnits + coldUnits - owedUnits - orderedUnits - lockedUnits;
}

/**
 * Of every asset that was ever held or owed. What the operator paid with money of his own
 * (`outside` below zero) is a debt to himself; what lies at a provider has to be brought home
 * first.
 */
export async function listLiquidity(
  reader: Reader,
  environment: Environment,
  now: Temporal.Instant,
): Promise<Liquidity[]> {
  const [held, promised] = await Promise.all([
    reader.query<Omit<Liquidity, 'lockedUnits'>>(sql`
      with balance as (
        select code, asset_id, balance_units as units from ledger_balance
        where environment = ${environment}
      ), held as (
        select asset_id,
          sum(units) filter (where code ~ '^custody:[A-Z]') as hot,
          sum(greatest(units, 0)) filter (where code ~ '^outside:[A-Z]') as cold,
          sum(greatest(-units, 0)) filter (where code like 'suspense:%' or code in
            ('merchant:available', 'merchant:pending', 'merchant:reserved')) as owed
        from balance group by asset_id
      ), there as (
        select split_part(code, ':', 2) as provider, asset_id, sum(units) as units
        from balance where code ~ '^(custody|transit):[a-z]' group by 1, 2
      ), ordered as (
        select provider, give_asset_id as asset_id, sum(give_units - filled_units) as units
        from hedge_order where environment = ${environment} and ${IS_COUNTED} group by 1, 2
      ), lacking as (
        select asset_id,
          sum(greatest(coalesce(ordered.units, 0) - coalesce(there.units, 0), 0)) as units
        from ordered full join there using (provider, asset_id) group by asset_id
      )
      select asset_id as "assetId", coalesce(hot, 0) as "hotUnits",
        coalesce(cold, 0) as "coldUnits", coalesce(owed, 0) as "owedUnits",
        coalesce(lacking.units, 0) as "orderedUnits"
      from held left join lacking using (asset_id) order by asset_id`),
    listPromisedUnits(reader, environment, now),
  ]);
  const locked = promised.filter(({ side }) => side === 'promised');
  const lockedOf = (assetId: string) => locked.find((one) => one.assetId === assetId)?.units ?? 0n;
  const known = held.map((one) => ({ ...one, lockedUnits: lockedOf(one.assetId) }));
  const unknown = locked.filter(({ assetId }) => held.every((one) => one.assetId !== assetId));
  return [
    ...known,
    ...unknown.map(({ assetId, units: lockedUnits }) => ({ ...NOTHING, assetId, lockedUnits })),
  ];
}

const NOTHING = { hotUnits: 0n, coldUnits: 0n, owedUnits: 0n, orderedUnits: 0n } as const;
