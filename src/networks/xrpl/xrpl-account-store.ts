// SQL of xrpl_account: where the account stood when everything up to there was recorded.
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import type { AccountPoint } from './read-account.ts';

/** The account at the end of a ledger. */
export type AccountAnchor = { readonly ledger: bigint; readonly point: AccountPoint };

type Row = {
  ledger: bigint;
  drops: bigint;
  lastTransaction: string | null;
  lastLedger: bigint | null;
};

export async function findAccountAnchor(
  db: Db,
  chain: ChainId,
  account: string,
): Promise<AccountAnchor | undefined> {
  const [row] = await db.query<Row>(sql`
    select ledger, drops, last_transaction as "lastTransaction", last_ledger as "lastLedger"
    from xrpl_account where chain = ${chain} and account = ${account}`);
  if (row === undefined) return undefined;
  const { ledger, drops, lastTransaction: transaction, lastLedger } = row;
  const last =
    transaction === null || lastLedger === null ? undefined : { transaction, ledger: lastLedger };
  return { ledger, point: { drops, last } };
}

/** Whoever watches the same chain beside us may be further: an older anchor changes nothing. */
export async function saveAccountAnchor(
  db: Db,
  chain: ChainId,
  account: string,
  { ledger, point }: AccountAnchor,
): Promise<void> {
  const { drops, last } = point;
  await db.single((tx) =>
    tx.query(sql`
      insert into xrpl_account (chain, account, ledger, drops, last_transaction, last_ledger)
      values (${chain}, ${account}, ${ledger}, ${drops}, ${last?.transaction ?? null},
        ${last?.ledger ?? null})
      on conflict (chain, account) do update set ledger = excluded.ledger, drops = excluded.drops,
        last_transaction = excluded.last_transaction, last_ledger = excluded.last_ledger
      where xrpl_account.ledger < excluded.ledger`),
  );
}
