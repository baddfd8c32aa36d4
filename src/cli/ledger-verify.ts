import { verifyLedger } from '#ledger/verify-ledger.ts';
import type { Command } from './command.ts';

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'prove that the ledger balances and that nothing in it was changed',
  usage: '',
  options: {},
  async run(context) {
    const { db } = await context.openApp();
    const { ok, entries, postings, accounts, faults } = await verifyLedger(db);
    const counts = {
      entries: String(entries),
      postings: String(postings),
      accounts: String(accounts),
    };
    const lines = [
      `${counts.entries} entries, ${counts.postings} postings, ${counts.accounts} accounts`,
      ok ? 'The ledger is right.' : `The ledger has ${faults.length} faults:`,
      ...faults.map((fault) => `  ${fault}`),
    ];
    return { text: lines.join('\n'), json: { ok, ...counts, faults }, exitCode: ok ? 0 : 1 };
  },
};
