import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { BankAccount } from '#networks/bank/bank-account.ts';
import { importStatement } from '#networks/bank/import-statement.ts';
import { type BankStatement, readStatements } from '#networks/bank/read-statement.ts';
import { XML_BYTES_MAX } from '#networks/bank/read-xml.ts';
import { type Command, onePositional, textOption } from './command.ts';
import { readBoundedFile } from './read-bounded-file.ts';

type Imported = {
  readonly network: string;
  readonly statement: string;
  readonly credits: number;
  readonly withoutReference: number;
  readonly reversals: number;
  readonly reversalsUnknown: number;
  readonly known: number;
  readonly pending: number;
  readonly other: number;
  readonly held: number;
  /** In a currency that the ledger has no money of. */
  readonly foreign: number;
  /** Why bookings were taken as a whole and for nobody. */
  readonly unusual: readonly string[];
};

export const bankImport: Command = {
  name: 'bank import',
  summary: 'take in a statement of a bank (camt.053, camt.054 or camt.052)',
  usage: 'FILE [--network SEPA|SWIFT|PIX] [--dry-run]',
  options: { network: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const isDry = values['dry-run'] === true;
    const statements = readStatements(await readBoundedFile(path, XML_BYTES_MAX, 'file'));
    const app = await context.openApp();
    const accounts = app.config.networks.bank;
    const wanted = textOption(values, 'network');
    // Before anything is written: a file is ours as a whole or not at all.
    const pairs = statements.map((statement) => ({
      statement,
      account: chooseAccount(accounts, statement, wanted),
    }));
    const imported: Imported[] = [];
    for (const { statement, account } of pairs) {
      const chain = chainOf('live', account.network);
      const decision = await importStatement(app, statement, { chain, account, isDry });
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
        other: decision.otherCount,
        held: decision.heldCount,
        foreign: decision.foreignCount,
        unusual: statement.entries.flatMap(({ unusual }) => unusual ?? []),
      });
    }
    const lines = imported.map(lineOf);
    const text = [...lines, ...(isDry ? ['Nothing was written.'] : [])].join('\n');
    return { text, json: { dryRun: isDry, statements: imported } };
  },
};

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

function lineOf(one: Imported): string {
  const facts: readonly (readonly [count: number, words: string])[] = [
    [one.credits, 'new credits'],
    [one.withoutReference, 'of them WITHOUT a reference of ours: they wait in suspense'],
    [one.reversals, 'taken back'],
    [one.reversalsUnknown, 'of them NOT KNOWN to take back anything: compare by hand'],
    [one.known, 'known before'],
    [one.pending, 'not booked yet'],
    [one.other, 'debits and returns of our own'],
    [one.foreign, 'NOT TAKEN, in a currency that is not kept here: look at them by hand'],
    [one.held, 'HELD BACK: the statement does not add up'],
  ];
  const shown = facts.filter(([count], index) => index === 0 || count > 0);
  const text = shown.map(([count, words]) => `${count} ${words}`).join(', ');
  const unusual = [...new Set(one.unusual)].map(
    (reason) => `\n  a booking as a whole, for a person to look at: ${reason}`,
  );
  return `${one.network} ${one.statement}: ${text}${unusual.join('')}`;
}
