// Transactions of the simulated chains, and the SQL of their tables. A row is one output.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
  units,
} from '#db/table.ts';

export const SANDBOX_TRANSFER = defineTable('sandbox_transfer', {
  chain: text<ChainId>(),
  transaction: text(),
  /** Which output of the transaction, from 0. */
  position: integer,
  spends: texts(),
  /** Canonical form. */
  destination: text(),
  assetId: text(),
  units,
  state: text<'MEMPOOL' | 'MINED' | 'REPLACED' | 'DROPPED'>(),
  blockHeight: selectOnly(optional(bigInteger)),
  mineAfter: optional(moment),
  createdAt: moment,
  merchantId: optional(text()),
});
type OutputRow = Row<typeof SANDBOX_TRANSFER>;

/** A merchant whose payments on a chain are neither seen nor mined until then. */
export const SANDBOX_SILENCE = defineTable('sandbox_silence', {
  merchantId: text(),
  chain: text<ChainId>(),
  until: moment,
});

export type SandboxOutput = Pick<OutputRow, 'destination' | 'assetId' | 'units'>;

export type SandboxTransaction = Pick<OutputRow, 'transaction' | 'spends'> & {
  readonly outputs: readonly SandboxOutput[];
};

export type StoredTransaction = SandboxTransaction &
  Pick<OutputRow, 'state' | 'blockHeight' | 'merchantId'>;

/** Condition on a row of sandbox_transfer: the node is not silent for its merchant. */
export function isHeard(now: Temporal.Instant): Statement {
  return sql`not exists (select 1 from sandbox_silence s where s.chain = sandbox_transfer.chain
    and s.merchant_id = sandbox_transfer.merchant_id and s.until > ${now})`;
}

/** Into the mempool. */
export function insertTransaction(
  tx: Tx,
  chain: ChainId,
  { transaction, spends, outputs }: SandboxTransaction,
  about: {
    readonly now: Temporal.Instant;
    readonly mineAfter: Temporal.Instant | undefined;
    readonly merchantId?: string | undefined;
  },
): void {
  const { now: createdAt, mineAfter, merchantId } = about;
  const sent = { chain, transaction, spends, state: 'MEMPOOL', mineAfter } as const;
  const rows = outputs.map(({ destination, assetId, units }, position) => {
    return { ...sent, position, destination, assetId, units, createdAt, merchantId };
  });
  tx.send(SANDBOX_TRANSFER.insert(rows));
}

async function listTransactions(reader: Reader, where: Statement): Promise<StoredTransaction[]> {
  const rows = await SANDBOX_TRANSFER.select(reader, sql`where ${where} order by id`);
  const byTransaction = Map.groupBy(rows, ({ transaction }) => transaction);
  return [...byTransaction.values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const { transaction, spends, state, blockHeight, merchantId } = first;
    const outputs = list.map(({ destination, assetId, units }) => ({
      destination,
      assetId,
      units,
    }));
    return { transaction, spends, state, blockHeight, merchantId, outputs };
  });
}

export async function findTransaction(
  reader: Reader,
  chain: ChainId,
  transaction: string,
): Promise<StoredTransaction | undefined> {
  const where = sql`chain = ${chain} and transaction = ${transaction}`;
  return (await listTransactions(reader, where))[0];
}

export function listTransactionsAbove(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<StoredTransaction[]> {
  return listTransactions(reader, sql`chain = ${chain} and block_height > ${height}`);
}

/** What waits to be mined and is not held back. */
export function listReadyTransactions(
  reader: Reader,
  chain: ChainId,
  now: Temporal.Instant,
): Promise<StoredTransaction[]> {
  return listTransactions(
    reader,
    sql`chain = ${chain} and state = 'MEMPOOL' and (mine_after is null or mine_after <= ${now})
      and ${isHeard(now)}`,
  );
}

/** What stands and pays one of these destinations, whole or in part: these outputs of it. */
export function listTransactionsTo(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
): Promise<StoredTransaction[]> {
  return listTransactions(
    reader,
    sql`chain = ${chain} and state in ('MEMPOOL', 'MINED')
      and destination = any(${destinations}::text[])`,
  );
}

export function setState(
  tx: Tx,
  chain: ChainId,
  transactions: readonly string[],
  state: 'MEMPOOL' | 'REPLACED' | 'DROPPED',
): void {
  tx.send(sql`
    update sandbox_transfer set state = ${state}, block_height = null
    where chain = ${chain} and transaction = any(${transactions}::text[])`);
}
