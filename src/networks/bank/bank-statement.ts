// Statements of a bank that were imported, and the SQL of their table. What one said is in the log.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  moment,
  optional,
  type Row,
  text,
  units,
} from '#db/table.ts';
import { bookedUnits } from './decide-entries.ts';
import type { BankStatement } from './read-statement.ts';

export const BANK_STATEMENT = defineTable('bank_statement', {
  chain: text<ChainId>(),
  account: text(),
  currency: text(),
  kind: text<BankStatement['kind']>(),
  statementId: text(),
  sequence: optional(bigInteger),
  /** SHA-256 of what was read: the same content is one statement. */
  digest: bytes,
  /** Undefined for a notification, which has no balances. */
  openingUnits: optional(units),
  closingUnits: optional(units),
  /** A day, as in 2026-01-31. */
  closingOn: optional(text()),
  bookedUnits: units,
  importedAt: moment,
});

/** Its number, the same for the same content. */
export async function insertStatement(
  tx: Tx,
  chain: ChainId,
  statement: BankStatement,
  digest: Uint8Array,
  importedAt: Temporal.Instant,
): Promise<bigint> {
  const { kind, id, sequence, account, currency, balances } = statement;
  const row = {
    chain,
    account,
    currency,
    kind,
    statementId: id,
    sequence,
    digest,
    openingUnits: balances?.openingUnits,
    closingUnits: balances?.closingUnits,
    closingOn: balances?.closingOn.toString(),
    bookedUnits: bookedUnits(statement),
    importedAt,
  };
  const known = sql`on conflict (chain, digest)
    do update set imported_at = bank_statement.imported_at returning id`;
  const [recorded] = await tx.query<{ id: bigint }>(BANK_STATEMENT.insert([row], known));
  assert(recorded !== undefined, 'a statement is recorded or known');
  return recorded.id;
}

const BALANCED = BANK_STATEMENT.only(
  'account',
  'currency',
  'statementId',
  'sequence',
  'openingUnits',
  'closingUnits',
  'closingOn',
  'bookedUnits',
);
/** A statement that has balances. */
export type StatementBalances = Omit<
  Row<typeof BALANCED>,
  'openingUnits' | 'closingUnits' | 'closingOn'
> & {
  readonly openingUnits: bigint;
  readonly closingUnits: bigint;
  readonly closingOn: string;
};

/** The newest of one account, in the order of import. */
export async function listStatementBalances(
  reader: Reader,
  chain: ChainId,
  account: string,
  most: number,
): Promise<StatementBalances[]> {
  const rows = await BALANCED.select(
    reader,
    sql`where chain = ${chain} and account = ${account} and kind = 'STATEMENT'
      and opening_units is not null
      order by closing_on desc, id desc limit ${most}`,
  );
  return rows.reverse().map((row) => {
    const { openingUnits, closingUnits, closingOn } = row;
    const isWhole = openingUnits !== undefined && closingUnits !== undefined;
    assert(isWhole && closingOn !== undefined, 'balances of a statement come together');
    return { ...row, openingUnits, closingUnits, closingOn };
  });
}
