import {
  type ImportedStatement,
  importStatements,
  readBankFile,
} from '#networks/bank/import-bank-file.ts';
import { BY_OPTION, BY_USAGE, type Command, onePositional, textOption, whoOf } from './command.ts';
import { readBoundedFile } from './read-bounded-file.ts';

export const bankImport: Command = {
  name: 'bank import',
  summary: 'take in a statement of a bank (camt.053, camt.054 or camt.052)',
  usage: `FILE [--network SEPA|SWIFT|PIX] [--dry-run] ${BY_USAGE}`,
  options: { ...BY_OPTION, network: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const isDry = values['dry-run'] === true;
    const statements = await readBankFile((most) => readBoundedFile(path, most, 'file'));
    const app = await context.openApp();
    const accounts = app.config.networks.bank;
    const network = textOption(values, 'network');
    const imported = await importStatements(app, statements, {
      accounts,
      network,
      isDry,
      actor: whoOf(values),
    });
    const lines = imported.map(lineOf);
    const text = [...lines, ...(isDry ? ['Nothing was written.'] : [])].join('\n');
    return { text, json: { dryRun: isDry, statements: imported } };
  },
};

function lineOf(one: ImportedStatement): string {
  const facts: readonly (readonly [count: number, words: string])[] = [
    [one.credits, 'new credits'],
    [one.withoutReference, 'of them WITHOUT a reference of ours: they wait in suspense'],
    [one.reversals, 'taken back'],
    [one.reversalsUnknown, 'of them NOT KNOWN to take back anything: compare by hand'],
    [one.known, 'known before'],
    [one.pending, 'not booked yet'],
    [one.payments, 'payments of ours'],
    [one.charges, 'charges of the bank'],
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
