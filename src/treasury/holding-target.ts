// How much of an asset the operator wants at addresses that are watched (hot, `custody:<NETWORK>`)
// and how much elsewhere (cold, `outside:<NETWORK>`), beside what is there, and the SQL of the
// table.
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, type Row, text, units } from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decideHolding } from './decide-holding.ts';

export const HOLDING_TARGET = defineTable('holding_target', {
  environment: text<Environment>(),
  network: text(),
  assetId: text(),
  leastUnits: units,
  targetUnits: units,
  mostUnits: units,
  actor: text(),
  reason: text(),
  setAt: moment,
});
export type HoldingTarget = Row<typeof HOLDING_TARGET>;

export function setHoldingTarget(tx: Tx, target: HoldingTarget): void {
  tx.send(
    HOLDING_TARGET.insert(
      [target],
      sql`on conflict (environment, network, asset_id) do update
        set ${HOLDING_TARGET.excluded(['leastUnits', 'targetUnits', 'mostUnits', 'actor', 'reason', 'setAt'])}`,
    ),
  );
}

/** False when there was none. */
export async function removeHoldingTarget(
  tx: Tx,
  { environment, network, assetId }: Pick<HoldingTarget, 'environment' | 'network' | 'assetId'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from holding_target
    where environment = ${environment} and network = ${network} and asset_id = ${assetId}
    returning network`);
  return rows.length === 1;
}

type Held = {
  readonly network: string;
  readonly assetId: string;
  readonly hotUnits: bigint;
  readonly coldUnits: bigint;
};

/** What lies where, and what is to be moved where a target is set. Amounts in whole coins. */
export async function listHoldings(reader: Reader, environment: Environment) {
  const [held, targets] = await Promise.all([
    reader.query<Held>(sql`
      select split_part(code, ':', 2) as network, asset_id as "assetId",
        coalesce(sum(balance_units) filter (where code like 'custody:%'), 0) as "hotUnits",
        coalesce(sum(balance_units) filter (where code like 'outside:%'), 0) as "coldUnits"
      from ledger_balance where environment = ${environment} and owner = ''
        and code ~ '^(custody|outside):[A-Z]'
      group by 1, 2 having bool_or(balance_units <> 0) order by 1, 2`),
    HOLDING_TARGET.select(reader, sql`where environment = ${environment}`),
  ]);
  const none = targets
    .filter(({ network, assetId }) => !held.some((one) => isOf(one, network, assetId)))
    .map(({ network, assetId }) => ({ network, assetId, hotUnits: 0n, coldUnits: 0n }));
  return [...held, ...none].map((one) => {
    const { network, assetId, hotUnits, coldUnits } = one;
    const target = targets.find((other) => isOf(other, network, assetId));
    const move = target && decideHolding(one, target);
    const amount = (value: bigint) => amountToText(value, getAsset(assetId).decimals);
    return {
      ...{ network, asset: assetId, hot: amount(hotUnits), cold: amount(coldUnits) },
      target:
        target === undefined
          ? null
          : {
              least: amount(target.leastUnits),
              target: amount(target.targetUnits),
              most: amount(target.mostUnits),
              by: target.actor,
              reason: target.reason,
            },
      move:
        move === undefined
          ? null
          : { to: move.to, amount: amount(move.units), missing: amount(move.missingUnits) },
    };
  });
}

function isOf(one: Pick<Held, 'network' | 'assetId'>, network: string, assetId: string): boolean {
  return one.network === network && one.assetId === assetId;
}
