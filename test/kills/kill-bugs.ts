// Bugs that npm run test:kills has to find, each put into service and signer while they are loaded
// (bug-hook.mjs): --bug NAME. A text that is not there exactly once is an error, and a test says so.

import type { KillNetwork } from './chains.ts';
import type { Fault } from './judge-run.ts';

type Change = { readonly file: string; readonly from: string; readonly to: string };

export type KillBug = {
  readonly name: string;
  readonly what: string;
  /** Where it is looked for, and what the run has to say of it. */
  readonly network: KillNetwork;
  readonly fault: Fault;
  readonly changes: readonly Change[];
};

const STORED_AFTER_SENT: readonly Change[] = [
  {
    file: 'src/sending/send-signed.ts',
    from: '  await store(app, { attempt, signed, cosigned }, { transfers, bySigner, actor });\n',
    to: '',
  },
  {
    file: 'src/sending/send-signed.ts',
    from: 'const execution = signed && (await sendOrShow(app, attempt, signed));',
    to:
      'const execution = signed && (await sendOrShow(app, attempt, signed)); ' +
      'await store(app, { attempt, signed, cosigned }, { transfers, bySigner, actor });',
  },
];

export const KILL_BUGS: readonly KillBug[] = [
  {
    name: 'forgotten-after-sent',
    what:
      'what was asked and sent is forgotten by whoever dies before it is stored, and the signer ' +
      'forgets it too: another one is signed with another nonce or other coins',
    network: 'anvil',
    fault: 'double payment',
    changes: [
      ...STORED_AFTER_SENT,
      {
        file: 'src/sending/send-by-signer.ts',
        from: 'const asked = await findAskedFor(app, id, { live, act });',
        to: 'const asked = live && (await findAskedFor(app, id, { live, act }));',
      },
      {
        file: 'src/signer/decide-signature.ts',
        from: 'if (onePayment.length > 0) ',
        to: 'if (false) ',
      },
    ],
  },
  {
    name: 'answer-not-kept',
    what: 'a refund that was made and not answered is made again when it is asked for again',
    network: 'litecoin',
    fault: 'double payment',
    changes: [
      {
        file: 'src/api/http/answer-once.ts',
        from: '    storeAnswer(tx, {',
        to: '    if (key === "") storeAnswer(tx, {',
      },
    ],
  },
  {
    name: 'not-sent-again',
    what: 'what was stored and not sent is never sent by whoever comes after',
    network: 'litecoin',
    fault: 'lost payment',
    changes: [
      {
        file: 'src/sending/send-by-signer.ts',
        from: 'const refused = live === undefined ? undefined : await sendAgain(app, id);',
        to: 'const refused = undefined;',
      },
    ],
  },
  {
    name: 'stored-after-sent',
    what: 'what was signed is sent before it is stored',
    network: 'anvil',
    fault: 'difference',
    changes: STORED_AFTER_SENT,
  },
  {
    name: 'not-logged',
    what: 'the signer answers what its log does not hold',
    network: 'litecoin',
    fault: 'difference',
    changes: [
      { file: 'src/signer/answer-question.ts', from: '    signerLog.append(entry);\n', to: '' },
    ],
  },
  {
    name: 'asked-is-free',
    what: 'what the signer was asked to spend, and may have signed, is free for another order',
    network: 'litecoin',
    fault: 'lost payment',
    changes: [
      {
        file: 'src/sending/draft-sending.ts',
        from: 'const asked = await listAskedSpends(db, chain);',
        to: 'const asked = [];',
      },
    ],
  },
];

/** @throws Error that names them all. */
export function findKillBug(name: string): KillBug {
  const bug = KILL_BUGS.find((one) => one.name === name);
  if (bug !== undefined) return bug;
  throw new Error(`there is no bug ${name}: ${KILL_BUGS.map((one) => one.name).join(', ')}`);
}

/** All of one file. */
export function withChanges(changes: readonly Change[], source: string): string {
  return changes.reduce((changed, { file, from, to }) => {
    const parts = changed.split(from);
    if (parts.length === 2) return parts.join(to);
    throw new Error(`${file} holds this ${parts.length - 1} times, not once: ${from}`);
  }, source);
}
