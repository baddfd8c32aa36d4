// Destinations of ours that nobody is given: those that a database which is gone may have given
// out, and the account that pays for gas. They are watched, and what comes there from elsewhere
// lies in suspense. And the SQL of their table.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, insertOnly, moment, type Row, text } from '#db/table.ts';

/** Why money lies in suspense. */
const GIVEN_BEFORE_RESTORE = 'address given out before a restore';

/** Why it is left out: it gives coins to addresses that have none to pay gas with. */
export const GAS_ACCOUNT = 'gas account';

/** The same of a contract that holds money of ours and that its owners move (a Safe). */
export const OWNED_CONTRACT = 'Safe';

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

/** Why money there is nobody's; null where it was not left out. Both as the statement has them. */
export function remarkOfLeftOut(chain: Statement, destination: Statement): Statement {
  return sql`(
    select case when l.reason in (${GAS_ACCOUNT}, ${OWNED_CONTRACT}) then l.reason
      else ${GIVEN_BEFORE_RESTORE} end
    from address_left_out l where l.chain = ${chain} and l.destination = ${destination})`;
}

/** Few, or none: all of them at once. */
export function listLeftOut(
  reader: Reader,
  chains: readonly ChainId[],
): Promise<Row<typeof ADDRESS_LEFT_OUT>[]> {
  return ADDRESS_LEFT_OUT.select(reader, sql`where chain = any(${chains}::text[])`);
}
