import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import type { Command } from './command.ts';

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'prove that the ledger balances, has its reasons, and that nothing in it was changed',
  usage: '',
  options: {},
  async run(context) {
    const { db } = await context.openApp();
    const { entries, postings, accounts, head, faults: own } = await verifyLedger(db);
    const faults = [...own, ...(await verifyReasons(db))];
    const ok = faults.length === 0;
    const counts = {
      entries: String(entries),
      postings: String(postings),
      accounts: String(accounts),
    };
    const sealed = head && { ...head, number: `${head.number}`, lastEntry: `${head.lastEntry}` };
    const lines = [
      `${counts.entries} entries, ${counts.postings} postings, ${counts.accounts} accounts`,
      head === undefined
        ? 'Nothing is sealed yet.'
        : `Sealed up to entry ${head.lastEntry}: seal ${head.number}, head ${head.hash}`,
      ok ? 'The ledger is right.' : `The ledger has ${faults.length} faults:`,
      ...faults.map((fault) => `  ${fault}`),
    ];
    const json = { ok, ...counts, head: sealed ?? null, faults };
    return { text: lines.join('\n'), json, exitCode: ok ? 0 : 1 };
  },
};
