// The table of what our account on the XRP Ledger was last agreed to hold, and how it is kept.
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import { bigInteger, defineTable, optional, text, units } from '#db/table.ts';
import { type AgreedState, keepAgreed } from '#networks/agreed-state.ts';
import { type AccountPoint, isSamePoint } from './read-account-root.ts';

export const XRPL_ACCOUNT = defineTable('xrpl_account', {
  chain: text<ChainId>(),
  account: text(),
  ledger: bigInteger,
  drops: units,
  /** Both undefined: no entry of the account. */
  lastTransaction: optional(text()),
  lastLedger: optional(bigInteger),
});

type AgreedAccountParts = {
  readonly db: Db;
  readonly chain: ChainId;
  readonly account: string;
};

export function openAgreedAccount(parts: AgreedAccountParts): AgreedState<AccountPoint> {
  const { db, chain, account } = parts;
  return keepAgreed<AccountPoint>({
    isSame: isSamePoint,
    async find() {
      const row = await XRPL_ACCOUNT.find(db, sql`where chain = ${chain} and account = ${account}`);
      if (row === undefined) return undefined;
      const { ledger, drops, lastTransaction: transaction, lastLedger } = row;
      const hasEntry = transaction !== undefined && lastLedger !== undefined;
      const last = hasEntry ? { transaction, ledger: lastLedger } : undefined;
      return { ledger, held: { drops, last } };
    },
    async save({ ledger, held: { drops, last } }) {
      const { transaction: lastTransaction, ledger: lastLedger } = last ?? {};
      const row = { chain, account, ledger, drops, lastTransaction, lastLedger };
      const found = XRPL_ACCOUNT.excluded(['ledger', 'drops', 'lastTransaction', 'lastLedger']);
      const statement = XRPL_ACCOUNT.insert(
        [row],
        sql`on conflict (chain, account) do update set ${found}
          where xrpl_account.ledger < excluded.ledger`,
      );
      await db.single((tx) => tx.query(statement));
    },
  });
}
