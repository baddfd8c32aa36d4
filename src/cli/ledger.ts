import { dirname, join } from 'node:path';
import { noteTrouble } from '#alert/alert.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { verifyEvents } from '#event/prove-events.ts';
import { checkHash, checkHeads, recordHead } from '#ledger/head-record.ts';
import { openProof, type Proof, type ProofFrom } from '#ledger/verify-checkpoint.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { type Command, textOption } from './command.ts';

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary:
    'prove that the ledger balances, has its reasons, and that nothing in it or told was changed',
  usage: '[--from start|last|<entry>] [--head <hash>] [--accept]',
  options: { from: { type: 'string' }, head: { type: 'string' }, accept: { type: 'boolean' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const { db, config } = app;
    const known = textOption(values, 'head');
    if (known !== undefined && !/^[0-9a-f]{64}$/.test(known)) {
      throw new Refusal('invalid', 'usage', ['--head: must be 64 digits from 0 to 9 and a to f']);
    }
    const from = readFrom(textOption(values, 'from'));
    if (values.accept === true) await recordHead(app, config.ledgerHead, { accept: true });
    const file = join(dirname(config.ledgerHead.file), VERIFIED_FILE);
    const proof = await openProof(db, { file, from, now: () => app.clock.now() });
    const found = await verifyLedger(db, context.onProgress, proof);
    const { entries, postings, accounts, head, eventsSince, faults: own } = found;
    const events = await verifyEvents(app, context.onProgress, proof);
    const faults = [
      ...own,
      ...events.faults,
      ...(await checkHeads(db, config.ledgerHead)),
      ...(known === undefined ? [] : await checkHash(db, known)),
      ...(await verifyReasons(db, context.onProgress, proof)),
    ];
    const ok = faults.length === 0;
    proof.end(ok);
    const fault = ok
      ? undefined
      : `${counted(faults.length, 'fault')}: npx quittance ledger verify`;
    // A copy that can only be read is verified too; nobody is told of it then.
    await noteTrouble(db, 'ledger', fault, app.clock.now()).catch(() => undefined);
    const counts = {
      entries: String(entries),
      postings: String(postings),
      accounts: accounts === undefined ? null : String(accounts),
      events: String(events.sealed),
      eventsKept: String(events.kept),
    };
    const sealed = head && { ...head, number: `${head.number}`, lastEntry: `${head.lastEntry}` };
    const lines = [
      ...fromLines(proof),
      [
        counted(entries, 'entry', 'entries'),
        counted(postings, 'posting'),
        ...(accounts === undefined ? [] : [counted(accounts, 'account')]),
      ].join(', '),
      head === undefined
        ? 'Nothing is sealed yet.'
        : `Sealed up to entry ${head.lastEntry}: seal ${head.number}, head ${head.hash}`,
      eventsSince === undefined
        ? 'No event is sealed yet.'
        : `${counted(events.sealed, 'event')} sealed since ${eventsSince}, ` +
          `${counts.eventsKept} of them kept; what was done to one before is not known`,
      ok ? 'The ledger is right.' : `The ledger has ${counted(faults.length, 'fault')}:`,
      ...faults.map((fault) => `  ${fault}`),
    ];
    const since = eventsSince?.toString() ?? null;
    const begun = proof.begun && { ...proof.begun, entry: `${proof.begun.entry}` };
    const json = { ok, ...counts, eventsSince: since, head: sealed ?? null, faults };
    return { text: lines.join('\n'), json: { ...json, from: begun ?? null }, exitCode: ok ? 0 : 1 };
  },
};

/** Beside the record of the heads. */
const VERIFIED_FILE = 'ledger-verified';

function readFrom(text: string | undefined): ProofFrom {
  if (text === undefined) return 'rest';
  if (text === 'start' || text === 'last') return text;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new Refusal('invalid', 'usage', ['--from: must be start, last or the number of an entry']);
}

function fromLines({ begun, sums }: Proof): string[] {
  if (begun === undefined) return [];
  const { entry, provedAt } = begun;
  if (sums === undefined) {
    return [`From entry ${entry} on; balances were not compared, which takes every posting.`];
  }
  return [
    `From entry ${entry} on: what is below was right at ${provedAt} and was not looked at again ` +
      '(--from start looks at all).',
  ];
}
