// Takes a statement into the log of a bank, in one transaction. Guarantees: all of it or nothing;
// importing it again, or another that tells the same bookings, adds nothing; of two imports at
// once the second sees what the first one did. What it is worth is decided elsewhere: the watch
// reads the log like any other chain.

import { createHash } from 'node:crypto';
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { BankAccount } from './bank-account.ts';
import {
  BANK_ENTRY,
  listKnownEntries,
  listLogEntries,
  listLogHashes,
  listOpenReversals,
  listStandingCredits,
  lockLog,
  logHash,
  type NewEntry,
} from './bank-log.ts';
import { insertStatement } from './bank-statement.ts';
import { decideEntries, type EntryDecision } from './decide-entries.ts';
import type { BankStatement } from './read-statement.ts';

const MANY_ROWS = 500;

export type ImportApp = { readonly db: Db; readonly clock: Clock };

type ImportOptions = {
  readonly chain: ChainId;
  readonly account: BankAccount;
  /** Looks, and writes nothing. */
  readonly isDry: boolean;
  /** Who brings it. */
  readonly actor: string;
};

/**
 * @throws Refusal (mismatch, `bank_account`) when it is of another account or currency; (conflict,
 * `bank_entry`) when a reference of the bank means something else than before.
 */
export async function importStatement(
  app: ImportApp,
  statement: BankStatement,
  { chain, account, isDry, actor }: ImportOptions,
): Promise<EntryDecision> {
  refuseOther(statement, account);
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const end = await lockLog(tx, chain);
    const decision = decideEntries(statement, await readFacts(tx, chain, statement, end));
    if (isDry) return decision;
    const statementId = await insertStatement(tx, chain, statement, digestOf(statement), now);
    const subject = `statement:${chain}:${statement.id}`;
    noteAct(tx, { actor, actedAt: now, verb: 'bank-import', subject, environment: 'live' });
    const { rows, undone } = decision;
    const credits = undone.map(({ credit }) => credit);
    const first = credits.filter((height) => height <= end.height).sort(ascending)[0];
    const last = first === undefined ? end : await hashAgain(tx, chain, first, credits);
    const hashed = withHashes(rows, last.hash, new Set(credits));
    const from = { chain, account: statement.account, statementId, recordedAt: now };
    const entries = hashed.map((row) => ({ ...from, ...row }));
    if (entries.length > 0) tx.send(BANK_ENTRY.insert(entries));
    // What the database knows of a short log makes it read all of a long one for every booking, and
    // the next statement of the same file comes before it looks by itself.
    if (entries.length >= MANY_ROWS) tx.send(sql`analyze bank_entry`);
    if (undone.length > 0) joinEntries(tx, chain, undone);
    const { height, hash } = hashed.at(-1) ?? last;
    tx.send(sql`update bank_log set height = ${height}, hash = ${hash} where chain = ${chain}`);
    return decision;
  });
}

function refuseOther({ account, currency }: BankStatement, own: BankAccount): void {
  if (account !== own.account) {
    throw new Refusal('mismatch', 'bank_account', [
      `the statement is of account ${account}; ${own.network} is set up for ${own.account}`,
    ]);
  }
  if (own.currencies.includes(currency)) return;
  const taken = own.currencies.join(', ');
  throw new Refusal('mismatch', 'bank_account', [
    `the statement is in ${currency}; ${own.network} is set up for ${taken}`,
  ]);
}

async function readFacts(
  tx: Tx,
  chain: ChainId,
  statement: BankStatement,
  { height }: BlockReference,
) {
  const { account, entries } = statement;
  // What it would be if nothing were known says what to look for.
  const draft = decideEntries(
    { ...statement, balances: undefined },
    { height, known: [], credits: [], reversals: [] },
  );
  const references = entries.flatMap((entry) =>
    entry.status === 'BOOK' ? (entry.servicerReference ?? []) : [],
  );
  const fingerprints = [...new Set(draft.rows.map(({ fingerprint }) => fingerprint))];
  const reversals = await listOpenReversals(tx, chain, account);
  const unitsOf = ({ units }: { readonly units: bigint }) => units;
  const amounts = [
    ...reversals.map(unitsOf),
    ...draft.rows.filter(({ kind }) => kind === 'REVERSAL').map(unitsOf),
  ];
  const [known, credits] = await Promise.all([
    listKnownEntries(tx, chain, account, { references, fingerprints }),
    listStandingCredits(tx, chain, account, amounts),
  ]);
  return { height, known, credits, reversals };
}

/** Everything from a row on, now that these are undone. Gives the end of the log. */
async function hashAgain(
  tx: Tx,
  chain: ChainId,
  from: bigint,
  undone: readonly bigint[],
): Promise<BlockReference> {
  const below = from - 1n;
  let hash = (await listLogHashes(tx, chain, [below])).get(below) ?? '';
  let height = below;
  const gone = new Set(undone);
  const changed = (await listLogEntries(tx, chain, below, null)).map((row) => {
    const parentHash = hash;
    const isUndone = row.undoneBy !== undefined || gone.has(row.height);
    height = row.height;
    hash = logHash(parentHash, { ...row, isUndone });
    return { height, hash, parentHash };
  });
  writeHashes(tx, chain, changed);
  return { height, hash };
}

function writeHashes(
  tx: Tx,
  chain: ChainId,
  rows: readonly { readonly height: bigint; readonly hash: string; readonly parentHash: string }[],
): void {
  tx.send(sql`
    update bank_entry e set hash = h.hash, parent_hash = h.parent_hash
    from unnest(${rows.map(({ height }) => height)}::bigint[],
      ${rows.map(({ hash }) => hash)}::text[],
      ${rows.map(({ parentHash }) => parentHash)}::text[]) as h(height, hash, parent_hash)
    where e.chain = ${chain} and e.height = h.height`);
}

/** Each of the two is told which other one it belongs to. */
function joinEntries(tx: Tx, chain: ChainId, undone: EntryDecision['undone']): void {
  const credits = undone.map(({ credit }) => credit);
  const reversals = undone.map(({ reversal }) => reversal);
  const pairs = sql`unnest(${credits}::bigint[], ${reversals}::bigint[]) as p(credit, reversal)`;
  tx.send(sql`update bank_entry e set undone_by = p.reversal from ${pairs}
    where e.chain = ${chain} and e.height = p.credit`);
  tx.send(sql`update bank_entry e set undoes = p.credit from ${pairs}
    where e.chain = ${chain} and e.height = p.reversal`);
}

function withHashes(rows: readonly NewEntry[], parent: string, undone: ReadonlySet<bigint>) {
  let last = parent;
  return rows.map((row) => {
    const parentHash = last;
    last = logHash(parentHash, { ...row, isUndone: undone.has(row.height) });
    return { ...row, hash: last, parentHash };
  });
}

/** SHA-256 of what was read, so that the same statement with other white space has the same. */
function digestOf({ departures: _, ...told }: BankStatement): Uint8Array {
  const text = JSON.stringify(told, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return new Uint8Array(createHash('sha256').update(text).digest());
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}
