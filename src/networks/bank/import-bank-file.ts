// Files that come from a bank. Statements go into the log, once each of them is known to be of an
// account of ours; a status report (pain.002) is read for whoever drafted the orders.

import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { BankAccount } from './bank-account.ts';
import { listDebited } from './bank-log.ts';
import { type ImportApp, importStatement } from './import-statement.ts';
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
