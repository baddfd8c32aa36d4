// SQL of bank_statement, private to this folder.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { bookedUnits } from './decide-entries.ts';
import type { BankStatement } from './read-statement.ts';

/** Its number, the same for the same content. */
export async function insertStatement(
  tx: Tx,
  chain: ChainId,
  statement: BankStatement,
  digest: Uint8Array,
  now: Temporal.Instant,
): Promise<bigint> {
  const { kind, id, sequence, account, currency, balances } = statement;
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into bank_statement (chain, account, currency, kind, statement_id, sequence, digest,
      opening_units, closing_units, closing_on, booked_units, imported_at)
    values (${chain}, ${account}, ${currency}, ${kind}, ${id}, ${sequence ?? null}, ${digest},
      ${balances?.openingUnits ?? null}, ${balances?.closingUnits ?? null},
      ${balances?.closingOn.toString() ?? null}, ${bookedUnits(statement)}, ${now})
    on conflict (chain, digest) do update set imported_at = bank_statement.imported_at
    returning id`);
  assert(row !== undefined, 'a statement is recorded or known');
  return row.id;
}

export type StatementBalances = {
  readonly account: string;
  readonly currency: string;
  readonly statementId: string;
  readonly sequence: bigint | null;
  readonly openingUnits: bigint;
  readonly closingUnits: bigint;
  readonly closingOn: string;
  readonly bookedUnits: bigint;
};

/** The newest of one account, in the order of import. */
export async function listStatementBalances(
  reader: Reader,
  chain: ChainId,
  account: string,
  most: number,
): Promise<StatementBalances[]> {
  const rows = await reader.query<StatementBalances>(sql`
    select account, currency, statement_id as "statementId", sequence,
      opening_units as "openingUnits", closing_units as "closingUnits", closing_on as "closingOn",
      booked_units as "bookedUnits"
    from bank_statement
    where chain = ${chain} and account = ${account} and kind = 'STATEMENT'
      and opening_units is not null
    order by closing_on desc, id desc limit ${most}`);
  return rows.reverse();
}
