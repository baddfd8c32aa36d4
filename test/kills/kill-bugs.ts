// Bugs that npm run test:kills has to find, each put into service and signer while they are loaded
// (bug-hook.mjs): --bug NAME. A text that is not there exactly once is an error, and a test says so.

type Change = { readonly file: string; readonly from: string; readonly to: string };

type KillBug = {
  readonly name: string;
  readonly what: string;
  readonly changes: readonly Change[];
};

export const KILL_BUGS: readonly KillBug[] = [
  {
    name: 'stored-after-sent',
    what: 'what was signed is sent before it is stored',
    changes: [
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
    ],
  },
  {
    name: 'not-logged',
    what: 'the signer answers what its log does not hold',
    changes: [
      { file: 'src/signer/answer-question.ts', from: '    signerLog.append(entry);\n', to: '' },
    ],
  },
  {
    name: 'asked-is-free',
    what: 'what the signer was asked to spend, and may have signed, is free for another order',
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
