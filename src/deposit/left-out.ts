// Destinations that a database which is gone may have given out: they are watched, and what comes
// there lies in suspense. And the SQL of their table.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, insertOnly, moment, type Row, text } from '#db/table.ts';

/** Why money lies in suspense. */
export const GIVEN_BEFORE_RESTORE = 'address given out before a restore';

export const ADDRESS_LEFT_OUT = defineTable('address_left_out', {
  chain: text<ChainId>(),
  destination: text(),
  reason: insertOnly(text()),
  leftOutAt: insertOnly(moment),
});

export function insertLeftOut(
  tx: Tx,
  chain: ChainId,
  destinations: readonly string[],
  reason: string,
  leftOutAt: Temporal.Instant,
): void {
  if (destinations.length === 0) return;
  const rows = destinations.map((destination) => ({ chain, destination, reason, leftOutAt }));
  const rest = sql`
    where not exists (select from deposit_instruction i
      where i.chain = given.chain and i.destination = given.destination)
    on conflict do nothing`;
  tx.send(ADDRESS_LEFT_OUT.insert(rows, rest));
}

/** Whether it was left out; both as the statement around has them. */
export function isLeftOut(chain: Statement, destination: Statement): Statement {
  return sql`exists (select from address_left_out l
    where l.chain = ${chain} and l.destination = ${destination})`;
}

/** Few, or none: all of them at once. */
export function listLeftOut(
  reader: Reader,
  chains: readonly ChainId[],
): Promise<Row<typeof ADDRESS_LEFT_OUT>[]> {
  return ADDRESS_LEFT_OUT.select(reader, sql`where chain = any(${chains}::text[])`);
}
