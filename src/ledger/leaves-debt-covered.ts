import type { Environment } from '#catalog/chain.ts';
import { sql, type Tx } from '#db/db.ts';

export type Withdrawal = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly assetId: string;
  readonly units: bigint;
};

/**
 * Whether so much may leave: what is available less what the merchant owes in the same asset. Locks
 * the two accounts in order of id, so that two at once do not both count the same money.
 */
export async function leavesDebtCovered(
  tx: Tx,
  { merchantId, environment, assetId, units }: Withdrawal,
): Promise<boolean> {
  const locked = tx.query<{ id: bigint }>(sql`
    select id from ledger_account where environment = ${environment}
      and coalesce(merchant_id, '') = ${merchantId} and asset_id = ${assetId}
      and code in ('merchant:available', 'merchant:owed') order by id for no key update`);
  // Read after the lock: each statement looks afresh.
  const balances = tx.query<{ owed: bigint; available: bigint }>(sql`
    select coalesce(sum(balance_units) filter (where code = 'merchant:owed'), 0) as owed,
      coalesce(sum(-balance_units) filter (where code = 'merchant:available'), 0) as available
    from ledger_balance where environment = ${environment} and owner = ${merchantId}
      and asset_id = ${assetId} and code in ('merchant:available', 'merchant:owed')`);
  const [, [row]] = await Promise.all([locked, balances]);
  return row === undefined || row.owed <= 0n || row.available - row.owed >= units;
}
