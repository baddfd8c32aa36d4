// The table of payments by HTTP 402 that we send, and all its SQL. A number of an account is taken
// by one row; what the signer refused leaves its number to the next one.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  moment,
  type NewRow,
  optional,
  type Row,
  text,
} from '#db/table.ts';

export const X402_SETTLEMENT = defineTable('x402_settlement', {
  id: text(),
  checkoutId: text(),
  chain: text<ChainId>(),
  sender: text(),
  sequence: bigInteger,
  draft: text(),
  question: text(),
  signedTransaction: optional(text()),
  transaction: optional(text()),
  settledBy: optional(text()),
  failedAt: optional(moment),
  createdAt: moment,
});
export type X402Settlement = Row<typeof X402_SETTLEMENT>;

export async function findSettlement(
  reader: Reader,
  id: string,
): Promise<X402Settlement | undefined> {
  const [found] = await X402_SETTLEMENT.select(reader, sql`where id = ${id}`);
  return found;
}

/** Whether something was sent for the checkout that did not fail. */
export async function isTaken(reader: Reader, checkoutId: string): Promise<boolean> {
  const isOfIt = sql`where checkout_id = ${checkoutId} and failed_at is null`;
  return (await X402_SETTLEMENT.select(reader, isOfIt)).length > 0;
}

/** Those of an account with this number or a higher one, in order. */
export function listWaitingSettlements(
  reader: Reader,
  { chain, sender }: Pick<X402Settlement, 'chain' | 'sender'>,
  least: bigint,
): Promise<X402Settlement[]> {
  const isOfAccount = sql`where chain = ${chain} and sender = ${sender} and sequence >= ${least}`;
  return X402_SETTLEMENT.select(reader, sql`${isOfAccount} order by sequence`);
}

/** The lowest number, from this one on, that no row has. */
export async function findFreeSequence(
  reader: Reader,
  { chain, sender }: Pick<X402Settlement, 'chain' | 'sender'>,
  least: bigint,
): Promise<bigint> {
  const rows = await listWaitingSettlements(reader, { chain, sender }, least);
  const taken = new Set(rows.map(({ sequence }) => sequence));
  let free = least;
  while (taken.has(free)) free += 1n;
  return free;
}

/** False where another row has its number, its checkout or its payment. */
export async function insertSettlement(
  db: Db,
  made: NewRow<typeof X402_SETTLEMENT>,
): Promise<boolean> {
  const inserted = await db.single((tx) =>
    tx.query(X402_SETTLEMENT.insert([made], sql`on conflict do nothing returning id`)),
  );
  return inserted.length === 1;
}

/** Nothing was signed for it. */
export async function dropSettlement(db: Db, id: string): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`delete from x402_settlement where id = ${id} and signed_transaction is null`),
  );
}

/** False where its row is gone: the signer refused it to somebody else, and its number is free. */
export async function noteSettlementSigned(
  db: Db,
  id: string,
  signed: { readonly signedTransaction: string; readonly transaction: string },
): Promise<boolean> {
  const noted = await db.single((tx) =>
    tx.query(sql`
      update x402_settlement set signed_transaction = ${signed.signedTransaction},
        transaction = ${signed.transaction} where id = ${id} returning id`),
  );
  return noted.length === 1;
}

/**
 * A block holds it, and it moved nothing: its number is used, its checkout is free. Two may wait
 * for it, and whoever looked before it paid, or before a reorganisation, says so too late.
 */
export async function noteFailed(db: Db, id: string, failedAt: Temporal.Instant): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update x402_settlement set failed_at = ${failedAt} where id = ${id} and settled_by is null`),
  );
}

export async function noteSettled(db: Db, id: string, settledBy: string): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`update x402_settlement set settled_by = ${settledBy} where id = ${id}`),
  );
}
