// SQL of stellar_balance: the balances that were last found to agree with everything that was read.
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';

/** What the account held at the end of a ledger. */
export type BalanceAnchor = {
  readonly ledger: bigint;
  readonly balances: ReadonlyMap<string, bigint>;
};

export async function findBalanceAnchor(
  db: Db,
  chain: ChainId,
  account: string,
): Promise<BalanceAnchor | undefined> {
  const [row] = await db.query<{ ledger: bigint; assetIds: string[]; units: bigint[] }>(sql`
    select ledger, asset_ids as "assetIds", units from stellar_balance
    where chain = ${chain} and account = ${account}`);
  if (row === undefined) return undefined;
  const balances = new Map(row.assetIds.map((id, index) => [id, row.units[index] ?? 0n]));
  return { ledger: row.ledger, balances };
}

/** Whoever watches the same chain beside us may be further: an older anchor changes nothing. */
export async function saveBalanceAnchor(
  db: Db,
  chain: ChainId,
  account: string,
  { ledger, balances }: BalanceAnchor,
): Promise<void> {
  const assetIds = [...balances.keys()];
  const units = [...balances.values()];
  await db.single((tx) =>
    tx.query(sql`
      insert into stellar_balance (chain, account, ledger, asset_ids, units)
      values (${chain}, ${account}, ${ledger}, ${assetIds}, ${units}::numeric[])
      on conflict (chain, account) do update set ledger = excluded.ledger,
        asset_ids = excluded.asset_ids, units = excluded.units
      where stellar_balance.ledger < excluded.ledger`),
  );
}
