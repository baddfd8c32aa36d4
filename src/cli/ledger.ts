import { Refusal } from '#base/refusal.ts';
import { checkHash, checkHeads, recordHead } from '#ledger/head-record.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { type Command, textOption } from './command.ts';

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'prove that the ledger balances, has its reasons, and that nothing in it was changed',
  usage: '[--head <hash>] [--accept]',
  options: { head: { type: 'string' }, accept: { type: 'boolean' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const { db, config } = app;
    const known = textOption(values, 'head');
    if (known !== undefined && !/^[0-9a-f]{64}$/.test(known)) {
      throw new Refusal('invalid', 'usage', ['--head: must be 64 digits from 0 to 9 and a to f']);
    }
    if (values.accept === true) await recordHead(app, config.ledgerHead, { accept: true });
    const {
      entries,
      postings,
      accounts,
      head,
      faults: own,
    } = await verifyLedger(db, context.onProgress);
    const faults = [
      ...own,
      ...(await checkHeads(db, config.ledgerHead)),
      ...(known === undefined ? [] : await checkHash(db, known)),
      ...(await verifyReasons(db, context.onProgress)),
    ];
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
