// Files that come from a bank. Statements go into the log, once each of them is known to be of an
// account of ours; a status report (pain.002) is read for whoever drafted the orders.

import { createHash } from 'node:crypto';
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { BankAccount } from './bank-account.ts';
import {
  BANK_ENTRY,
  listDebited,
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
import { readPain002, statusOfTransfer } from './read-pain-002.ts';
import { type BankStatement, readStatements } from './read-statement.ts';
import { XML_BYTES_MAX } from './read-xml.ts';
import { isDuplicate, reasonText } from './status-words.ts';

/** What one statement added, in numbers of bookings. */
export type ImportedStatement = {
  readonly network: string;
  readonly statement: string;
  readonly credits: number;
  readonly withoutReference: number;
  readonly reversals: number;
  readonly reversalsUnknown: number;
  readonly known: number;
  readonly pending: number;
  readonly payments: number;
  readonly charges: number;
  readonly held: number;
  /** In a currency that the ledger has no money of. */
  readonly foreign: number;
  /** Why bookings were taken as a whole and for nobody. */
  readonly unusual: readonly string[];
};

type ImportOptions = {
  /** Those that are set up. */
  readonly accounts: readonly BankAccount[];
  /** The network of the file; when absent, the one of the account that the statement names. */
  readonly network: string | undefined;
  /** Looks, and writes nothing. */
  readonly isDry: boolean;
  /** Who brings it. */
  readonly actor: string;
};

/** `read` gives the file, as far as it is read at all. @throws Refusal that says what is wrong. */
export async function readBankFile(
  read: (bytesMax: number) => Promise<Uint8Array>,
): Promise<BankStatement[]> {
  return readStatements(await read(XML_BYTES_MAX));
}

/** @throws Refusal as `importStatement`, of the first statement that cannot be taken. */
export async function importStatements(
  app: ImportApp,
  statements: readonly BankStatement[],
  { accounts, network, isDry, actor }: ImportOptions,
): Promise<ImportedStatement[]> {
  // Before anything is written: a file is ours as a whole or not at all.
  const pairs = statements.map((statement) => ({
    statement,
    account: chooseAccount(accounts, statement, network),
  }));
  const imported: ImportedStatement[] = [];
  for (const { statement, account } of pairs) {
    const chain = chainOf('live', account.network);
    const decision = await importStatement(app, statement, { chain, account, isDry, actor });
    const ofKind = (kind: string) => decision.rows.filter((row) => row.kind === kind);
    const credits = ofKind('CREDIT');
    const reversals = ofKind('REVERSAL');
    const joined = new Set(decision.undone.map(({ reversal }) => reversal));
    imported.push({
      network: account.network,
      statement: statement.id,
      credits: credits.length,
      withoutReference: credits.filter(({ reference }) => reference === undefined).length,
      reversals: reversals.length,
      reversalsUnknown: reversals.filter(({ height }) => !joined.has(height)).length,
      known: decision.knownCount,
      pending: decision.pendingCount,
      payments: ofKind('PAYMENT').length,
      charges: ofKind('CHARGE').length,
      held: decision.heldCount,
      foreign: decision.foreignCount,
      unusual: statement.entries.flatMap(({ unusual }) => unusual ?? []),
    });
  }
  return imported;
}

/** @throws Refusal (invalid, `xml`) that says what is wrong with the file. */
export function readBankStatus(bytes: Uint8Array, reader: Reader) {
  const report = readPain002(bytes);
  const { id: reportId, originalMessageId: messageId } = report;
  return {
    reportId,
    messageId,
    statusOf(transferId: string) {
      const status = statusOfTransfer(report, messageId, transferId);
      return (
        status && {
          ...status,
          reasons: status.reasons.map(reasonText).filter((reason) => reason !== ''),
          isDuplicate: status.reasons.some(isDuplicate),
        }
      );
    },
    listDebited: (chain: ChainId, ids: readonly string[]) => listDebited(reader, chain, ids),
  };
}

/** @throws Refusal when no network, or more than one, is set up for the account. */
function chooseAccount(
  accounts: readonly BankAccount[],
  { account, id }: BankStatement,
  wanted: string | undefined,
): BankAccount {
  const fitting = accounts.filter(({ network }) => wanted === undefined || network === wanted);
  const [only] = wanted === undefined ? fitting.filter((one) => one.account === account) : fitting;
  if (only !== undefined) return only;
  const [what, names] =
    wanted === undefined
      ? [`account ${account} of statement ${id}`, accounts.map((one) => one.account)]
      : [`network ${wanted}`, accounts.map(({ network }) => network)];
  const known = names.length === 0 ? 'no bank is set up' : `set up: ${names.join(', ')}`;
  throw new Refusal('mismatch', 'bank_account', [`${what} is not ours; ${known}`]);
}

// Takes a statement into the log of a bank, in one transaction. Guarantees: all of it or nothing;
// importing it again, or another that tells the same bookings, adds nothing; of two imports at
// once the second sees what the first one did. What it is worth is decided elsewhere: the watch
// reads the log like any other chain.
const MANY_ROWS = 500;

type ImportApp = { readonly db: Db; readonly clock: Clock };

type StatementOptions = {
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
  { chain, account, isDry, actor }: StatementOptions,
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
